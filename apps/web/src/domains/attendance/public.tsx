import './attendance.css'

export { RestCalendar } from './rest-calendar.tsx'
export { restWords } from './rest-days.ts'
