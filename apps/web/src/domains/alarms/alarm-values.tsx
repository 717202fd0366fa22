import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { useState } from 'react'
import { Card } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import type { AlarmFile } from './alarm-file.ts'

function shown(value: unknown, field: FamilyView['metrics'][number] | undefined): string {
  if (value === null || value === undefined || value === '') return '--'
  if (field?.type === 'datetime') return time(String(value))
  if (field?.values) return field.values[String(value)] ?? String(value)
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'number')
    return `${field?.precision === undefined ? Number(value.toFixed(3)) : value.toFixed(field.precision)}${field?.unit ? ` ${field.unit}` : ''}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const shownValues = 10
const otherNames: Readonly<Record<string, string>> = {
  limit: '限值',
  value: '判断值',
  window: '统计时长',
  param: '参数',
  otherCrane: '对象塔机',
  clearance: '净距',
  zoneName: '区域',
}

/** Values compared by a rule have the unit of the metric the rule judges. */
const unitOf = (key: string, file: Pick<AlarmFile, 'unit'>): string =>
  ({ limit: file.unit, value: file.unit, clearance: 'm', window: '秒' })[key] ?? ''
const withUnit = (text: string, unit: string): string => (unit === '' || !/^-?[\d.]+$/.test(text) ? text : `${text} ${unit}`)

/** Readings by which the rule raised the alarm. */
export function AlarmValues({ file, family }: { file: AlarmFile; family: FamilyView | undefined }) {
  const [all, setAll] = useState(false)
  const rank = (key: string) => (key === file.metric ? 0 : key === 'limit' ? 1 : typeof file.valuesUsed[key] === 'boolean' ? 3 : 2)
  const values = Object.entries(file.valuesUsed)
    .filter(([key, value]) => !/IdCard|^(alarmBits|workerId|recordId)$/.test(key) && value !== null)
    .sort(([a], [b]) => rank(a) - rank(b))
  const rule = file.ruleName
    ? `规则 ${file.ruleName}${file.ruleVersion === null ? '' : ` v${file.ruleVersion}`}，核对时以此为准`
    : '由设备标志触发，没有平台规则'
  return (
    <Card title="触发时的值" remark={rule} flush>
      {values.length === 0 ? (
        <div className="zg-state alarm-no-values">触发时没有随附读数</div>
      ) : (
        <dl className="alarm-values">
          {(all ? values : values.slice(0, shownValues)).map(([key, value]) => {
            const field = [family?.metrics, family?.params, ...(family?.records ?? []).map((one) => one.fields)]
              .flatMap((fields) => fields ?? [])
              .find((one) => one.key === key)
            return (
              <div key={key} className={key === file.metric ? 'hit' : ''}>
                <dt>{field?.label ?? otherNames[key] ?? (family ? key : '…')}</dt>
                <dd>{withUnit(shown(value, field), field ? '' : unitOf(key, file))}</dd>
              </div>
            )
          })}
          <div>
            <dt>条件</dt>
            <dd>{file.thresholdText || '--'}</dd>
          </div>
          <div>
            <dt>来源</dt>
            <dd>{file.sources.map((one) => ({ platform: '平台规则', device: '设备上报' })[one] ?? one).join('、') || '--'}</dd>
          </div>
          {values.length > shownValues && (
            <button type="button" className="zg-bare zg-link alarm-more-values" onClick={() => setAll(!all)}>
              {all ? '收起' : `显示全部 ${values.length} 项`}
            </button>
          )}
        </dl>
      )}
    </Card>
  )
}
