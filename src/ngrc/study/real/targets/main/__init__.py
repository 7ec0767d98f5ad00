"""Six procedures around one NGRC forecast on four datasets, with diagnostics, selections and spikes."""
