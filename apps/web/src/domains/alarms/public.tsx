export { AlarmDrawer, type AlarmFile } from './alarm-drawer.tsx'
export { lasted, peakWords } from './alarm-words.tsx'
export { FamilyAlarm } from './family-alarm.tsx'
