import { type Family, offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import type { Field } from '@zhugong/contract/telemetry/field'
import { commonRecordFields, decoderFields } from '@zhugong/contract/telemetry/known-fields'
import { familyView, field } from '@zhugong/contract/telemetry/model'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { defaultInWords, isExpressible } from '../rules/public.ts'
import { samplesOf } from './samples.ts'

const toField = (f: Field & { typical?: readonly [number, number] }) =>
  rowOf(field, f, {
    values: f.values ? { ...f.values } : undefined,
    typical: f.typical ? [...f.typical] : undefined,
  })

/** The metrics, records and alarms of a family, for pages, forms and integrators who connect a device. */
export function toFamilyView(family: Family, now: number) {
  return rowOf(familyView, family, {
    offlineSeconds: offlineSecondsOf(family),
    params: family.params.map(toField),
    metrics: family.metrics.map(toField),
    records: family.records.map((r) => ({ key: r.key, label: r.label, fields: r.fields.map(toField) })),
    otherFields: [...commonRecordFields, ...decoderFields].filter((f) => !family.metric(f.key)).map(toField),
    samples: samplesOf(family, now),
    alarms: family.alarms.map((a) => ({
      ...pick(a, 'key', 'label', 'level', 'source'),
      text: isExpressible(a) ? defaultInWords(a, family.key) : a.defaultThreshold,
      expressible: isExpressible(a),
    })),
    statuses: { ...family.statuses },
  })
}
