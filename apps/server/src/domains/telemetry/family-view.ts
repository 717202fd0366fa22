import { type Family, type Field, offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import { commonRecordFields, decoderFields } from '@zhugong/contract/telemetry/known-fields'
import { defaultInWords, isExpressible } from '../rules/public.ts'
import { samplesOf } from './samples.ts'

const toField = (f: Field & { typical?: readonly [number, number] }) => ({
  key: f.key,
  label: f.label,
  unit: f.unit,
  type: f.type,
  min: f.min,
  max: f.max,
  precision: f.precision,
  values: f.values ? { ...f.values } : undefined,
  typical: f.typical ? [...f.typical] : undefined,
})

/** What a family reports, records and warns of, for pages, forms and whoever connects a box. */
export function toFamilyView(family: Family, now: number) {
  return {
    key: family.key,
    code: family.code,
    name: family.name,
    intervalSeconds: family.intervalSeconds,
    offlineSeconds: offlineSecondsOf(family),
    params: family.params.map(toField),
    metrics: family.metrics.map(toField),
    records: family.records.map((r) => ({ key: r.key, label: r.label, fields: r.fields.map(toField) })),
    otherFields: [...commonRecordFields, ...decoderFields].filter((f) => !family.metric(f.key)).map(toField),
    samples: samplesOf(family, now),
    alarms: family.alarms.map((a) => ({
      key: a.key,
      label: a.label,
      level: a.level,
      text: isExpressible(a) ? defaultInWords(a, family.key) : a.defaultThreshold,
      source: a.source,
      expressible: isExpressible(a),
    })),
    statuses: { ...family.statuses },
  }
}
