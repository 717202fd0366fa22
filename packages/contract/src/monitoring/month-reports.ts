import { month, ofProject, ref } from '../kit/fields.ts'

/** Monthly report of a site's machines of one family, or of one machine: a document to sign and a workbook. */
export const monthQuery = ofProject.extend({ month, deviceId: ref('device').optional() })
/** Export name of each family's monthly report. */
export const monthFeatures = { towerCrane: 'craneMonth', lifter: 'liftMonth', environment: 'stationMonth' } as const
