/**
 * The device families: metrics, records and alarms as data, so that code handling readings is independent of the family. For the server; the browser
 * requests one family by `GET /api/v1/iot/family/:key` instead of bundling the whole catalogue.
 */
export interface Field {
  key: string
  label: string
  unit: string
  type: 'number' | 'integer' | 'boolean' | 'enum' | 'string' | 'datetime'
  min?: number
  max?: number
  precision?: number
  values?: Readonly<Record<string, string>>
  maxLength?: number
}
