"""Every page works from a disk: no complaint, no network, and its address holds its state."""

from __future__ import annotations
