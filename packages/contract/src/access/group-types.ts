/** What kind of group somebody works for, as `groupsType` says it. */
export const groupTypes = { platform: 0, government: 1, corporation: 2, project: 3 } as const
export type GroupType = (typeof groupTypes)[keyof typeof groupTypes]
