/** The meaning of device data and who may see it. Used by telemetry (receives readings), rules, alarms, monitoring and equipment. */
export { type KeptValue, type LatestColumns, newestValues, subjectKeys, subjectOf, veiledValues } from './latest.ts'
export { type Mark, markGiven, markOf, orderedText, seqOf } from './mark.ts'
export { personOf } from './passers.ts'
export {
  drivenFor,
  driverGroupsFor,
  driverSeen,
  findWearers,
  hiddenKeys,
  isHealth,
  isPersonal,
  isStranger,
  isVeiled,
  type Onlooker,
  onlookerOf,
  personalKeys,
  placeKeys,
  recordsOfSeen,
  servedDriven,
  tellsHealth,
  unknownDriver,
  type Veil,
  veilFor,
  type Worn,
  withoutKeys,
} from './personal.ts'
export {
  type EventItem,
  flagOf,
  flags,
  fromColumns,
  isBeyond,
  leanOf,
  type Reading,
  type RecordItem,
  type Rejection,
  readEvent,
  readRecord,
  readTelemetry,
  readTime,
  toColumns,
} from './sample.ts'
export { type ReadingRow, toReading } from './stored.ts'
