/** Whether a person, a team or a unit is currently on the project (`stationed`). */
export const stations = { present: '1', left: '2' } as const

/** Role in a stay: site management, or manual worker (dictionary workRole). */
export const workRoles = { manager: '10', worker: '20' } as const

/** Direction of a line in the list of entries and exits (dictionary entryExitType). */
export const entryExits = { exit: '0', entry: '1' } as const

/** Parts with responsibility for the whole project (dictionary corpType): supervisor, owner, general contractor. */
export const partTypes = { supervisor: '007', owner: '008', leader: '009' } as const
