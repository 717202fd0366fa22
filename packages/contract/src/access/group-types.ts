/** Types of groups, as in `groupsType`. */
export const groupTypes = { platform: 0, government: 1, corporation: 2, project: 3 } as const
export type GroupType = (typeof groupTypes)[keyof typeof groupTypes]

const names: Readonly<Record<number, string>> = { 0: '平台', 1: '监管机构', 2: '企业', 3: '项目' }
export const groupTypeName = (type: number): string => names[type] ?? '--'
export const groupTypeOptions = Object.entries(names).map(([value, label]) => ({ value, label }))
