import { dockStates } from '@zhugong/contract/equipment/codes'
import { listBrands, listFactories } from '@zhugong/contract/equipment/library-endpoints'
import { listModels } from '@zhugong/contract/equipment/model-endpoints'
import type { Change, Quality } from '@zhugong/contract/equipment/quality'
import { hourMs } from '@zhugong/contract/kit/time'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Empty, Tag, type Tone } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import './equipment.css'

/** Families as options; the value is the key. */
export function useFamilyOptions() {
  const { data } = useCall(listFamilies, {}, { staleMs: hourMs, quiet: true })
  return (data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))
}

export function FamilyChoices(props: Control<string[]>) {
  const options = useFamilyOptions()
  return <Choices {...props} loading={options.length === 0} options={options} />
}
export function FamilyChoice(props: Control<string>) {
  const options = useFamilyOptions()
  return <Choice {...props} loading={options.length === 0} clear={false} options={options} />
}

/** Current value of a record; kept as an option even if it was disabled or replaced by a newer version. */
export interface CurrentChoice {
  id: string
  name: string
}
const withKept = (options: readonly { value: string; label: string }[], current: CurrentChoice | undefined) =>
  current && !options.some((one) => one.value === current.id) ? [...options, { value: current.id, label: current.name }] : options

export function FactoryChoice({
  kind = 'maker',
  known,
  ...control
}: Control<string> & { kind?: 'maker' | 'provider'; known?: CurrentChoice | undefined }) {
  const { data, isPending } = useCall(
    listFactories,
    { query: { kind, size: 1000, enable: '1', sort: 'name' } },
    { staleMs: 60_000, quiet: true },
  )
  const options = (data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))
  return <Choice {...control} loading={isPending} options={withKept(options, known)} />
}
export function BrandChoice({
  factoryId,
  known,
  ...control
}: Control<string> & { factoryId?: string | undefined; known?: CurrentChoice | undefined }) {
  const { data, isPending } = useCall(
    listBrands,
    { query: { size: 1000, enable: '1', factoryId: factoryId || undefined } },
    { staleMs: 60_000, quiet: true },
  )
  return (
    <Choice
      {...control}
      loading={isPending}
      options={withKept(
        (data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.factoryName}）` })),
        known,
      )}
    />
  )
}
export function ModelChoice({
  family,
  known,
  ...control
}: Control<string> & { family?: string | undefined; known?: CurrentChoice | undefined }) {
  const { data, isPending } = useCall(
    listModels,
    { query: { size: 1000, enable: '1', family: family || undefined } },
    { staleMs: 60_000, quiet: true },
  )
  return (
    <Choice
      {...control}
      loading={isPending}
      options={withKept(
        (data?.list ?? []).map((one) => ({
          value: one.id,
          label: `${one.brandName} ${one.name}${family ? '' : `（${one.familyName}）`}${one.modelVersion > 1 ? ` V${one.modelVersion}` : ''}`,
        })),
        known,
      )}
    />
  )
}

const dockTones: Readonly<Record<string, Tone>> = { '0': 'neutral', '1': 'running', '2': 'fine', '3': 'danger' }
export const DockTag = ({ state }: { state: string }) => (
  <Tag tone={dockTones[state] ?? 'neutral'}>{dockStates[state as keyof typeof dockStates] ?? state}</Tag>
)
export const dockOptions = Object.entries(dockStates).map(([value, label]) => ({ value, label }))

/** Percentage with one decimal; marked if the sample is small, `--` if there is none. */
export function Share({ value, few, low }: { value: number | null | undefined; few?: boolean | undefined; low?: number }) {
  if (value === null || value === undefined) return <span className="zg-2">--</span>
  const bad = low !== undefined && value < low && !few
  return (
    <span className={bad ? 'tone-danger' : few ? 'zg-2' : ''}>
      {value.toFixed(1)} %{few && <small className="zg-2"> 样本少</small>}
    </span>
  )
}

export function QualityFigures({ quality }: { quality: Quality | undefined }) {
  if (!quality) return <Empty small text="尚无设备" hint="有设备在用后，这里显示在线、有效、故障与误报" />
  const items: [string, ReactNode][] = [
    ['在线率', <Share key="o" value={quality.onlinePercent} few={quality.few} low={90} />],
    ['数据有效率', <Share key="v" value={quality.validPercent} few={quality.few} low={95} />],
    ['百台月故障', quality.faultPer100 === null ? '--' : `${quality.faultPer100} 次`],
    ['误报率', <Share key="f" value={quality.falsePercent} few={quality.few} />],
    ['项目', `${quality.sites} 个`],
  ]
  return (
    <dl className="eq-values">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Change history, newest first. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <Empty small text="没有变更" hint="修改、启停、审核与调拨会记在这里" />
  return (
    <ol className="eq-changes">
      {changes.map((one) => (
        <li key={one.id}>
          <span className="when">{one.at}</span>
          <div>
            <b>{one.act}</b> <span className="zg-2">{one.byName}</span>
            {one.detail.map((d) => (
              <div key={d.label} className="zg-2">
                {d.label}
                {(d.before !== null || d.after !== null) && (
                  <>
                    ：{d.before !== null && <s>{d.before}</s>} {d.after ?? '（清空）'}
                  </>
                )}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Placeholder of a detail page opened without an id. */
export function ChooseFirst({ hint, listPath, listName }: { hint: string; listPath: string; listName: string }) {
  const go = useGo()
  return (
    <PageShell>
      <div className="zg-card">
        <Empty text="请先选择" hint={hint}>
          <Button type="primary" onClick={() => go(listPath)}>
            去{listName}
          </Button>
        </Empty>
      </div>
    </PageShell>
  )
}

/** Selected tab, kept in the URL so that a copied link opens it. */
export function useTab(first: string): [string, (tab: string) => void] {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const kept = Object.fromEntries(query)
  return [query.get('tab') ?? first, (tab) => go(page.path, { ...kept, tab }, { replace: true })]
}

/** Number of devices by site, as bars. */
export function SiteBars({ sites }: { sites: readonly { projectName: string; devices: number; online: number }[] }) {
  const most = Math.max(1, ...sites.map((s) => s.devices))
  if (sites.length === 0) return <Empty small text="没有设备" hint="设备登记后按项目统计在这里" />
  return (
    <div className="eq-bars">
      {sites.map((site) => (
        <div key={site.projectName}>
          <span className="name" title={site.projectName}>
            {site.projectName}
          </span>
          <span className="bar" aria-hidden="true">
            <Filled part={site.devices} whole={most}>
              <Filled part={site.online} whole={site.devices} className="online" />
            </Filled>
          </span>
          <span className="figure">
            在线 {site.online} / {site.devices} 台
          </span>
        </div>
      ))}
    </div>
  )
}
