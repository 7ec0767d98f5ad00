"""What every target needs: settings, checks, replications in parallel, figures and pages."""
