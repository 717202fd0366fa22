import { month, ofProject, ref } from '../kit/fields.ts'

/** The month of a site's lifts, or of one of them, by day and driver: a document to sign and a workbook to count on. */
export const liftMonthQuery = ofProject.extend({ month, deviceId: ref('device').optional() })
export const liftMonthFeature = 'liftMonth'
