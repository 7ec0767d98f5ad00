"""Neural forecasters of the paper, by PyTorch: the optional extra `ngrc[neural]`."""
