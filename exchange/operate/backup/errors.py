from exchange.core.errors import Conflict, InvalidInput, Unavailable


class BackupUnfinished(Conflict):
    """The folder has no manifest.json, so no backup was finished in it."""

    code = "backup_unfinished"


class BackupDamaged(InvalidInput):
    """A file of the backup is not as it was written."""

    code = "backup_damaged"


class BackupNewer(Conflict):
    """The backup was made by a newer version of the exchange, or of PostgreSQL."""

    code = "backup_newer"


class FolderInUse(Conflict):
    """Another process makes a backup in this folder."""

    code = "folder_in_use"


class DatabaseInUse(Conflict):
    """The database has data. A backup is restored into an empty one."""

    code = "database_in_use"


class ProgramFailed(Unavailable):
    """A program of PostgreSQL ended with an error."""

    code = "program_failed"


class ProgramMissing(Unavailable):
    """No program of PostgreSQL of this version is on this machine."""

    code = "program_missing"
