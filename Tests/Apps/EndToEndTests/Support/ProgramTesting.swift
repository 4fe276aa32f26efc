// ProgramTesting starts programs, speaks HTTP and makes pictures, for every file here. FaultTests use it too.
@_exported import ProgramTesting
