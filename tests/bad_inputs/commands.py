"""Command lines that cannot be run, and the line that says so; every command has some."""

COMMANDS: tuple[tuple[str, str], ...] = (
    ("forecast", "Missing argument 'SERIES'."),
    (
        "forecast y.csv --horizon 0",
        "Invalid value for '--horizon' / '--steps': a whole number from 1 on is expected, got '0'",
    ),
    (
        "forecast y.csv --horizon abc",
        "Invalid value for '--horizon' / '--steps': a whole number from 1 on is expected, got 'abc'",
    ),
    (
        "forecast y.csv --horizon 1.5",
        "Invalid value for '--horizon' / '--steps': a whole number from 1 on is expected, got '1.5'",
    ),
    (
        "forecast y.csv --horizon 1000 --lags 2",
        "the series is too short for 1000 steps ahead with 2 lags: 200 observations leave too "
        "few rows to fit or to calibrate; at most 32 steps can be had",
    ),
    (
        "forecast y.csv --level 0",
        "level must be in (0, 1), or 50 to below 100 as per cent, got 0.0; use 0.95 for 95 %",
    ),
    (
        "forecast y.csv --level 100",
        "level must be in (0, 1), or 50 to below 100 as per cent, got 100.0; use 0.95 for 95 %",
    ),
    ("forecast y.csv --level abc", "--level takes numbers such as 0.95 or 0.5,0.8,0.95, got 'abc'"),
    (
        "forecast y.csv --level nan",
        "level must be in (0, 1), or 50 to below 100 as per cent, got nan; use 0.95 for 95 %",
    ),
    ("forecast y.csv --level ,", "--level takes numbers such as 0.95 or 0.5,0.8,0.95, got ','"),
    (
        "forecast y.csv --method spilt",
        "Invalid value for '--method': unknown method 'spilt'; choose from {methods}; did you mean 'split'?",
    ),
    ("forecast y.csv --column z", "y.csv: no column 'z'; there are 'y'"),
    ("forecast y.csv --time z", "y.csv: no column 'z'; there are 'y'"),
    ("forecast t.csv --exog z --lags 2", "t.csv: no column 'z'; there are 'date', 'y', 'wind'"),
    (
        "forecast t.csv --exog y --column y --lags 2",
        "t.csv: column 'y' is asked for both as target and as exog; name it once",
    ),
    (
        "forecast t.csv --known wind --lags 2 --column y",
        "the known input 'wind' must reach 1 row beyond the series' 150 observations, got 0; "
        "give its future values",
    ),
    ("forecast t.csv --target y,y --lags 2", "t.csv: column 'y' is asked for twice as target; name it once"),
    ("forecast y.csv --column y --target y", "--column and --target name the same thing; give one of them"),
    ("forecast y.csv --lags -1", "lags must be at least 1, got -1"),
    ("forecast y.csv --lags 0", "lags must be at least 1, got 0"),
    (
        "forecast y.csv --lags 1.5",
        "Invalid value for '--lags': a count such as 24 or a list such as 1,2,3,24 is expected, got '1.5'",
    ),
    ("forecast y.csv --lags 1,1", "lags must all differ, got (1, 1); name each once"),
    (
        "forecast y.csv --lags 500",
        "the series is too short for 1 step ahead with 500 lags: 200 observations leave too few "
        "rows to fit or to calibrate; give more observations or fewer lags",
    ),
    (
        "forecast y.csv --degree 0 --lags 2",
        "Invalid value for '--degree': a whole number from 1 on is expected, got '0'",
    ),
    (
        "forecast y.csv --degree 99 --lags 9",
        "3,911,395,881,899 standardised columns over 57 fit rows take n^2 p = 1e+16 products, "
        "over 1e+12; use columns='raw', whose kernel needs no column, fewer lags, a smaller "
        "product_lags or a lower degree",
    ),
    (
        "forecast y.csv --spacing 0 --lags 2",
        "Invalid value for '--spacing': a whole number from 1 on is expected, got '0'",
    ),
    (
        "forecast y.csv --product-lags 9 --lags 2",
        "the first 9 delays are asked for and there are 2; use more lags",
    ),
    (
        "forecast y.csv --product-lags -1 --lags 2",
        "Invalid value for '--product-lags': a whole number from 0 on is expected, got '-1'",
    ),
    (
        "forecast y.csv --seasonal -1 --lags 2",
        "Invalid value for '--seasonal': a whole number from 0 on is expected, got '-1'",
    ),
    (
        "forecast y.csv --seasonal 1 --lags 2",
        "seasonal delays need a period, got none; give periods=(24,) or leave seasonal out",
    ),
    (
        "forecast y.csv --clock-lags 1 --lags 2",
        "clock products need a period, got none; give periods=(24,) or leave clock_lags out",
    ),
    (
        "forecast y.csv --period 0 --lags 2",
        "each value of periods must be a finite number above zero, got 0.0",
    ),
    (
        "forecast y.csv --period x --lags 2",
        "Invalid value for '--period': numbers with commas between them are expected, such as "
        "24,168, got 'x'",
    ),
    (
        "forecast y.csv --period 1 --lags 2",
        "a period must be at least 2 steps, got 1; give it in observations, not in hours or days",
    ),
    (
        "forecast y.csv --harmonics -1 --lags 2 --period 7",
        "Invalid value for '--harmonics': a whole number from 0 on is expected, got '-1'",
    ),
    (
        "forecast y.csv --calendar day --lags 2",
        "calendar parts are hour, weekday, month, got 'day'; leave it out",
    ),
    (
        "forecast y.csv --calendar hour --lags 2",
        "calendar columns need the series' times, and there are none; give dates with times= or "
        "a pandas DatetimeIndex, or leave the calendar out",
    ),
    (
        "forecast t.csv --holidays XX --lags 2 --column y",
        "no holidays are known of 'XX': *; give a country code such as 'DE'",
    ),
    (
        "forecast t.csv --zone Mars --calendar hour --lags 2 --column y",
        "zone must be a time zone such as 'Europe/Berlin', got 'Mars'",
    ),
    (
        "forecast y.csv --clip -1 --lags 2",
        "clip must be the share of the fit block's range by which inputs may exceed it, such as "
        "0.1, got -1.0",
    ),
    (
        "forecast y.csv --transform loq --lags 2",
        "transform must be None, 'log', 'root', 'boxcox' or 'asinh', or a pair such as "
        "('boxcox', 0.3), got 'loq'",
    ),
    (
        "forecast y.csv --transform log --lags 2",
        "transform 'log' needs values above 0, got 6 of 61 that are not, the first 0 at position "
        "0; use 'root', or ('log', c) with a shift c that lifts every value above zero",
    ),
    (
        "forecast y.csv --transform log:x --lags 2",
        "Invalid value for '--transform': a name such as log or log:1 is expected, got 'log:x'",
    ),
    (
        "forecast y.csv --lower 5 --lags 2",
        "lower=5, but 28 of the 61 values of the series are below it, the smallest 0 at position "
        "0; mend the series or drop the bound",
    ),
    ("forecast y.csv --lower 5 --upper 4 --lags 2", "lower must be below upper, got lower=5 and upper=4"),
    ("forecast y.csv --lower nan --lags 2", "lower must be a finite number or None for no bound, got nan"),
    (
        "forecast y.csv --quantiles 0,1 --lags 2",
        "--quantiles takes rising numbers between 0 and 1 with commas between them, such as "
        "0.1,0.5,0.9, got '0,1'",
    ),
    (
        "forecast y.csv --quantiles a --lags 2",
        "--quantiles takes rising numbers between 0 and 1 with commas between them, such as "
        "0.1,0.5,0.9, got 'a'",
    ),
    (
        "forecast y.csv --quantiles 0.5,0.1 --lags 2",
        "--quantiles takes rising numbers between 0 and 1 with commas between them, such as "
        "0.1,0.5,0.9, got '0.5,0.1'",
    ),
    (
        "forecast y.csv --band path-wise",
        "Invalid value for '--band': unknown band 'path-wise'; choose from pointwise, path; did "
        "you mean 'pointwise'?",
    ),
    (
        "forecast y.csv --seed -1",
        "Invalid value for '--seed': a whole number from 0 on is expected, got '-1'",
    ),
    (
        "forecast y.csv --refit-every 0",
        "Invalid value for '--refit-every': a whole number from 1 on is expected, got '0'",
    ),
    (
        "forecast y.csv --window 0",
        "Invalid value for '--window': a whole number from 1 on is expected, got '0'",
    ),
    (
        "forecast y.csv --difference foo",
        "Invalid value for '--difference': unknown difference 'foo'; choose from level, "
        "increment, seasonal, both",
    ),
    (
        "forecast y.csv --difference seasonal --lags 2",
        "a seasonal target needs a period, got none; give periods=(24,), the shortest first",
    ),
    (
        "forecast y.csv --plot p.gif --lags 2",
        "--plot writes .png, .svg, .html, .htm, got 'p.gif'; name it with one of these endings",
    ),
    ("forecast y.csv --out y.csv", "--out y.csv would replace the input y.csv; name another file"),
    (
        "forecast y.csv --out o.xyz --lags 2",
        "--out writes CSV, Parquet, JSON, got 'o.xyz'; name it .csv or .parquet or .json",
    ),
    (
        "forecast y.csv --out nowhere/o.csv",
        "cannot write nowhere/o.csv: there is no folder nowhere; make it first",
    ),
    ("forecast y.csv --save y.csv --lags 2", "--save y.csv would replace the input y.csv; name another file"),
    (
        "forecast y.csv --model y.csv",
        "cannot load y.csv: it is no file that ngrc wrote; give a file that ngrc saved",
    ),
    (
        "forecast y.csv --model nosuch.ngrc",
        "cannot load nosuch.ngrc: there is no such file; correct the path",
    ),
    (
        "forecast y.csv --preset paper",
        "the paper's preset exists for beijing, exchange, ozone, solar, got 'y'; leave the "
        "preset out and choose lags and periods yourself",
    ),
    (
        "forecast y.csv --preset papers",
        "Invalid value for '--preset': unknown preset 'papers'; choose from paper; did you mean 'paper'?",
    ),
    (
        "forecast y.csv --preset paper --lags 3",
        "--preset paper fixes lags, spacing, periods and columns; leave --lags out",
    ),
    ("forecast nosuch", "'nosuch' is neither a file nor a dataset; datasets are {datasets}"),
    (
        "forecast exchang",
        "'exchang' is neither a file nor a dataset; datasets are {datasets}; did you mean 'exchange'?",
    ),
    ("forecast nosuch.csv", "nosuch.csv: there is no such file; correct the path"),
    ("forecast folder", "folder: this is a folder; name a CSV, Excel or Parquet file in it"),
    ("forcast y.csv", "unknown command 'forcast'; choose from {commands}; did you mean 'forecast'?"),
    (
        "forecast https://example.org/data.csv",
        "https://example.org/data.csv: this is a web address; download the file and name it here",
    ),
    (
        "forecast loop.csv",
        "loop.csv: the file cannot be read: Too many levels of symbolic links; correct the path "
        "or its rights",
    ),
    (
        "forecast l.csv --plot p.png --lags 2",
        "the file holds several series, and --plot is for one; leave it out, or keep the rows of one series",
    ),
    (
        "compare y.csv --method spilt",
        "Invalid value for '--method': unknown method 'spilt'; choose from {methods}; did you mean 'split'?",
    ),
    (
        "compare y.csv --horizon 0 --lags 2",
        "Invalid value for '--horizon': a whole number from 1 on is expected, got '0'",
    ),
    (
        "compare y.csv --level 2",
        "level must be in (0, 1), or 50 to below 100 as per cent, got 2.0; use 0.95 for 95 %",
    ),
    (
        "compare y.csv --split walks",
        "Invalid value for '--split': unknown split 'walks'; choose from walk, fixed; did you mean 'walk'?",
    ),
    (
        "compare y.csv --split fixed --refit-every 5",
        "--split fixed fits once, and --refit-every and --window are for refits; leave them out, "
        "or use --split walk",
    ),
    (
        "diagnose y.csv --horizon -1",
        "Invalid value for '--horizon': a whole number from 1 on is expected, got '-1'",
    ),
    ("diagnose y.csv --column z", "y.csv: no column 'z'; there are 'y'"),
    ("intervals y.csv", "y.csv: no column 'forecast'; there are 'y'; name it with --forecast"),
    (
        "intervals t.csv --forecast z",
        "t.csv: no column 'z'; there are 'date', 'y', 'wind'; name it with --forecast",
    ),
    ("report y.csv --out r.xyz", "a report is an HTML page, got 'r.xyz'; name it .html"),
    (
        "report y.csv --horizon 0",
        "Invalid value for '--horizon': a whole number from 1 on is expected, got '0'",
    ),
    ("data get", "name at least one dataset of {datasets}, or all"),
    ("data get exchnge", "unknown dataset 'exchnge'; choose from {datasets}, all; did you mean 'exchange'?"),
    (
        "data gett",
        "unknown command 'data gett'; choose from data list, data get, data where; did you mean 'data get'?",
    ),
    (
        "completion tcsh",
        "Invalid value for '[bash|zsh|fish]': unknown shell 'tcsh'; choose from bash, zsh, fish",
    ),
    (
        "stream --method spilt",
        "Invalid value for '--method': unknown method 'spilt'; choose from {methods}; did you mean 'split'?",
    ),
    (
        "stream --on-error foo",
        "Invalid value for '--on-error': unknown way with bad lines 'foo'; choose from stop, skip",
    ),
    ("demo --seed -1", "Invalid value for '--seed': a whole number from 0 on is expected, got '-1'"),
    ("reproduce nosuch", "unknown target 'nosuch'; choose from *"),
    ("reproduce phase --reps 1", "Invalid value for '--reps': a whole number from 2 on is expected, got '1'"),
    ("reproduce phase --jobs 0", "Invalid value for '--jobs': a whole number from 1 on is expected, got '0'"),
    ("stream --inspect", "--inspect prints what a state holds; name it with --state"),
    ("stream --state folder", "cannot keep a state in folder: it is a folder; name a file in it"),
    ("stream --state y.csv", "cannot open y.csv: it is not a state that ngrc wrote; name another file"),
    (
        "stream --state nosuch/state.db",
        "cannot keep a state in nosuch/state.db: there is no folder nosuch; make it first",
    ),
    ("stream --state nosuch.db --inspect", "there is no state nosuch.db; name one that ngrc wrote"),
    (
        "stream --state loop.db",
        "cannot keep a state in loop.db: it is a link that leads to itself; name a file",
    ),
    (
        "stream --state postgresql://nobody@127.0.0.1:9/none --patience 0",
        "cannot open postgresql://nobody@127.0.0.1:9/none: no connection (*); see that the server runs",
    ),
    ("stream --series a", "--series names a series of a state; give --state, or leave --series out"),
    ("stream --json", "--json is for --inspect; the lines of a stream are JSON always"),
    (
        "stream --late maybe",
        "Invalid value for '--late': unknown way with late outcomes 'maybe'; choose from refuse, accept",
    ),
    (
        "stream --on-error ignore",
        "Invalid value for '--on-error': unknown way with bad lines 'ignore'; choose from stop, skip",
    ),
    (
        "stream --format xml",
        "Invalid value for '--format': unknown format 'xml'; choose from auto, csv, json",
    ),
    ("stream --history nosuch.csv", "nosuch.csv: there is no such file; correct the path"),
    ("stream --follow folder", "--follow takes a file, and folder is a folder"),
    ("stream --window 5", "window is for refits, and none are asked for; give refit_every=, or leave it out"),
    (
        "stream --state damaged.db",
        "cannot open damaged.db: it is not a state that ngrc wrote; name another file",
    ),
    (
        "intervals t.csv --forecast wind --horizon 0",
        "Invalid value for '--horizon': a whole number from 1 on is expected, got '0'",
    ),
    (
        "intervals t.csv --forecast wind --level 0",
        "level must be in (0, 1), or 50 to below 100 as per cent, got 0.0; use 0.95 for 95 %",
    ),
    (
        "intervals t.csv --forecast wind --calibration 2",
        "calibration must be a share above 0 and at most 1, got 2.0; try 0.5",
    ),
    (
        "intervals t.csv --forecast wind --method spilt",
        "unknown method 'spilt'; choose from split, asymmetric, rolling, gaussian, student, "
        "adaptive, weighted, unprojected, pid, dtaci, saocp, nexcp, rescp, scaled, quantile, "
        "auto; did you mean 'split'?",
    ),
    ("intervals nosuch.csv", "nosuch.csv: there is no such file; correct the path"),
    ("compare nosuch.csv", "nosuch.csv: there is no such file; correct the path"),
    ("compare y.csv --level 50,80 --column z", "y.csv: no column 'z'; there are 'y'"),
    ("diagnose nosuch.csv", "nosuch.csv: there is no such file; correct the path"),
    ("diagnose y.csv --lags 0", "lags must be at least 1, got 0"),
    ("report nosuch.csv", "nosuch.csv: there is no such file; correct the path"),
    (
        "report y.csv --out nowhere/r.html",
        "cannot write nowhere/r.html: there is no folder nowhere; make it first",
    ),
    ("data where nosuch", "unknown dataset 'nosuch'; choose from {datasets}, all"),
    ("data get all,nosuch", "unknown dataset 'nosuch'; choose from {datasets}, all"),
    (
        "forecast y.csv --exog y --lags 2",
        "y.csv: no column is left for the values beside the others that were named; add one",
    ),
    (
        "forecast l.csv --save m.ngrc --lags 2",
        "the file holds several series, and --save is for one; leave it out, or keep the rows of one series",
    ),
    (
        "forecast l.csv --quantiles 0.5 --lags 2",
        "the file holds several series, and --quantiles is for one; leave it out, or keep the "
        "rows of one series",
    ),
    (
        "forecast y.csv --resample --lags 2",
        "y.csv: resampling needs times; name the time column with time= (--time)",
    ),
)
"""By what is typed after `ngrc`, in a folder with the files that `making.furnish` puts there."""
