"""From records to files that trainers read, and back.

``shards`` writes tar shards, ``shard_reader`` reads them, ``shard_check`` and
``run_check`` name everything that can be wrong with them (``problems`` is the
list of names). ``parquet`` holds the table of samples, ``sums`` the digests,
``journal`` and ``lock`` what makes a run resumable, ``durable`` the few calls
that put bytes safely on a disk.

This package sees ``factory.core`` and nothing else of the project.
"""
