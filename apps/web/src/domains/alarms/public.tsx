export { AlarmDrawer, type AlarmFile } from './alarm-drawer.tsx'
export { lasted, peakWords } from './alarm-words.tsx'
export { type AlarmColumn, FamilyAlarm, type FamilyAlarmProps } from './family-alarm.tsx'
export { ProjectSuppress } from './project-suppress.tsx'
