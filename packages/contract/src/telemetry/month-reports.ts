import { month, ofProject, ref } from '../kit/fields.ts'

/** The month of a site's machines of one family, or of one of them: a document to sign and a workbook to count on. */
export const monthQuery = ofProject.extend({ month, deviceId: ref('device').optional() })
/** What each family's month is called among exports. */
export const monthFeatures = { towerCrane: 'craneMonth', lifter: 'liftMonth', environment: 'stationMonth' } as const
