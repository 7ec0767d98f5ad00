window.ngrcCharts.start();
