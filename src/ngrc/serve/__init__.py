"""Durable series over HTTP, with a live page, health and metrics."""
