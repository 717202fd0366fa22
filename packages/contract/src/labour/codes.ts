/** Whether somebody, a team or a unit is on site (`stationed`). */
export const stations = { present: '1', left: '2' } as const

/** Of a stay: one of the site's management, or one who works with his hands (dictionary workRole). */
export const workRoles = { manager: '10', worker: '20' } as const

/** Kinds of a line of entries and exits (dictionary entryExitType). */
export const entryExits = { exit: '0', entry: '1' } as const

/** Parts that answer for a project as a whole (dictionary corpType): who reviews, who owns it, who leads the work. */
export const partTypes = { supervisor: '007', owner: '008', leader: '009' } as const
