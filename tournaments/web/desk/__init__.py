"""The desk: results typed by table number, slips, sheets that came back.

For scorekeepers. It works by keys alone and keeps what was typed while the network is away.
"""
