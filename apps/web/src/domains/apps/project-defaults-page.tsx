import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { type DefaultCell, defaultCells, ownArea, saveDefaults } from '@zhugong/contract/apps/default-endpoints'
import { type BatchCell, batchApps, grantTargets } from '@zhugong/contract/apps/grant-endpoints'
import { Button, Checkbox, InputNumber } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { call, showFailure } from '#kit/http.ts'
import { AreaInput, Choice } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { Cells } from './grant-batch-drawers.tsx'
import { AppName } from './parts.tsx'

const keyOf = ({ category, appId }: Pick<DefaultCell, 'category' | 'appId'>) => `${category} ${appId}`
const wordsOf = ({ on, required, days }: Pick<DefaultCell, 'on' | 'required' | 'days'>) =>
  on ? `${required ? '必须' : '开通'}${days === null ? '' : ` ${days} 天`}` : '不开通'

/** Apps a new project gets when it is created. */
export default function ProjectDefaultsPage() {
  const page = usePage()
  const [submitted, setAreaCode] = useState<string>(ownArea)
  const dicts = useDicts('projectCategory')
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  const cells = useCall(defaultCells, { query: { areaCode: submitted } }, { quiet: true, enabled: submitted !== '' })
  const areaCode = submitted === ownArea ? (cells.data?.list[0]?.areaCode ?? '') : submitted
  const [drafted, setDrafted] = useState<ReadonlyMap<string, DefaultCell>>(new Map())
  const drop = () => setDrafted(new Map())
  const save = useAct(saveDefaults, { success: '已保存，今后新建的项目按此开通', onDone: drop })
  const [category, setCategory] = useState('01')
  const [filling, setFilling] = useState(false)
  const mayBatch = useCan(batchApps)
  useUnsaved(drafted.size > 0, page.cacheKey, page.entry.title)
  const error = apps.error ?? cells.error
  if (error) return <ErrorPanel error={error} retry={() => Promise.all([apps.refetch(), cells.refetch()])} />
  if (!apps.data || (submitted !== '' && !cells.data)) return <DetailSkeleton />
  const existing = new Map((cells.data?.list ?? []).map((cell) => [keyOf(cell), cell]))
  const at = (appId: string, of: string) => drafted.get(keyOf({ category: of, appId })) ?? existing.get(keyOf({ category: of, appId }))
  const available = apps.data.list.filter((app) => !app.base && app.groupTypes.includes(3))
  const nameOf = (id: string) => available.find((app) => app.id === id)?.name ?? id
  const change = (cell: DefaultCell, part: Partial<DefaultCell>) => {
    const next = { ...cell, ...part, inherited: false }
    const was = existing.get(keyOf(cell))
    const map = new Map(drafted)
    if (was && wordsOf(was) === wordsOf(next)) map.delete(keyOf(cell))
    else map.set(keyOf(cell), next)
    setDrafted(map)
  }
  const differences: Difference[] = [...drafted.values()].map((cell) => ({
    label: `${nameOf(cell.appId)} · ${dicts.name('projectCategory', cell.category)}`,
    before: wordsOf(existing.get(keyOf(cell)) ?? { on: false, required: false, days: null }),
    after: wordsOf(cell),
  }))
  const categories = dicts.options('projectCategory')
  const next = available.filter((app) => at(app.id, category)?.on)
  return (
    <SettingsPage
      remark="只对今后新建的项目生效，不会收回现有项目的应用；成套的方案在“应用方案”"
      last={undefined}
      lock={undefined}
      differences={differences}
      fault={areaCode === '' ? '请先选择适用的区划' : undefined}
      saving={save.running}
      onSave={() =>
        save.run({
          body: {
            areaCode,
            cells: [...drafted.values()].map(({ category: of, appId, on, required, days }) => ({
              category: of,
              appId,
              on,
              required: on && required,
              days: on ? days : null,
            })),
          },
        })
      }
      onUndo={drop}
      actions={mayBatch && <Button onClick={() => setFilling(true)}>补发给现有项目</Button>}
    >
      <Card
        title="适用区划"
        remark="没有单独设置的格子沿用上级区划，再没有则按默认方案"
        actions={
          <div className="apps-field">
            <AreaInput
              aria-label="区划"
              value={areaCode}
              onChange={(code) => {
                drop()
                setAreaCode(code ?? '')
              }}
            />
          </div>
        }
      >
        <div className="apps-bar">
          下一个新
          <div className="apps-field">
            <Choice
              aria-label="项目类别"
              clear={false}
              value={category}
              options={categories}
              onChange={(code) => setCategory(code ?? '01')}
            />
          </div>
          项目将得到 <b>{next.length}</b> 个应用
          {next.some((app) => at(app.id, category)?.required) &&
            `，其中 ${next.filter((app) => at(app.id, category)?.required).length} 个必须`}
        </div>
      </Card>
      {areaCode !== '' && (
        <Card title="应用 × 项目类别" remark="勾选即开通；“必须”与天数在所选类别的列里设置，天数不填为长期" flush>
          <div className="apps-scroll">
            <table className="apps-table apps-pinned">
              <thead>
                <tr>
                  <th>应用</th>
                  {categories.map((one) => (
                    <th key={one.value} className={one.value === category ? 'mid' : 'mid apps-narrow'} scope="col">
                      {one.value === category ? (
                        one.label
                      ) : (
                        <button type="button" className="zg-bare zg-link" onClick={() => setCategory(one.value)}>
                          {one.label}
                        </button>
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {available.map((app) => (
                  <tr key={app.id}>
                    <td>
                      <AppName icon={app.icon} name={app.name}>
                        {app.categoryName}
                      </AppName>
                    </td>
                    {categories.map((one) => {
                      const cell = at(app.id, one.value)
                      return (
                        <td key={one.value} className={drafted.has(keyOf({ category: one.value, appId: app.id })) ? 'changed' : ''}>
                          {cell && (
                            <Cell
                              cell={cell}
                              name={`${app.name} ${one.label}`}
                              whole={one.value === category}
                              onChange={(part) => change(cell, part)}
                            />
                          )}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
      {filling && (
        <FillDrawer
          categoryName={dicts.name('projectCategory', category)}
          apps={next.map((app) => app.id)}
          onClose={() => setFilling(false)}
        />
      )}
    </SettingsPage>
  )
}

interface CellProps {
  cell: DefaultCell
  name: string
  /** Whether to show all settings, or only whether the app is granted. */
  whole: boolean
  onChange: (part: Partial<DefaultCell>) => void
}
function Cell({ cell, name, whole, onChange }: CellProps) {
  return (
    <div className="apps-cell" title={cell.inherited ? '沿用上级或默认方案' : '本区划设置'}>
      <Checkbox
        aria-label={`${name} 开通`}
        checked={cell.on}
        onChange={(event) => onChange({ on: event.target.checked, required: false })}
      />
      {cell.on && !whole && cell.required && <span className="tone-warning">必须</span>}
      {cell.on && whole && (
        <>
          <Checkbox aria-label={`${name} 必须`} checked={cell.required} onChange={(event) => onChange({ required: event.target.checked })}>
            必须
          </Checkbox>
          <InputNumber
            size="small"
            className="apps-days"
            aria-label={`${name} 天数`}
            placeholder="长期"
            min={1}
            max={3660}
            controls={false}
            value={cell.days}
            onChange={(days) => onChange({ days })}
          />
        </>
      )}
    </div>
  )
}

/** Grants the apps of the chosen category to existing projects that lack some; dry run first. */
function FillDrawer({ categoryName, apps, onClose }: { categoryName: string; apps: readonly string[]; onClose: () => void }) {
  const targets = useCall(grantTargets, { query: { type: '3' } }, { quiet: true })
  const [cells, setCells] = useState<readonly BatchCell[]>()
  const act = useAct(batchApps, { success: '已补发', onDone: onClose })
  const body = { ids: (targets.data?.list ?? []).map((one) => one.id), apps: [...apps], deadline: null, reason: '补发默认应用' }
  const look = () =>
    call(batchApps, { body: { ...body, dryRun: true } })
      .then((answer) => setCells(answer.cells.filter((cell) => cell.result !== 'same')))
      .catch(showFailure)
  return (
    <PageDrawer
      open
      size={860}
      title="补发给现有项目"
      onClose={onClose}
      footer={
        <div className="apps-right">
          <Button disabled={body.ids.length === 0 || apps.length === 0} onClick={() => void look()}>
            试算
          </Button>
          <Button type="primary" disabled={!cells?.length} loading={act.running} onClick={() => void act.run({ body })}>
            补发
          </Button>
        </div>
      }
    >
      <Notice tone="info">
        把{categoryName}的 {apps.length} 个默认应用补给管辖内 {body.ids.length} 个项目中没有的；已有的不变，不会缩短期限。
      </Notice>
      {cells && <Cells cells={cells} />}
    </PageDrawer>
  )
}
