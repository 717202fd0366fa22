import { ImportOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { createTrigger, deleteTrigger, duplicateTrigger, findTemplates, getTrigger } from '@zhugong/contract/rules/endpoints'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Dropdown, Segmented } from 'antd'
import { useRef, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { saveBlob, useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, FigureStrip, RiskBadge, Tag, type Tone } from '#kit/feedback.tsx'
import { age, day, time } from '#kit/format.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePageQuery } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { type Schedule, scheduleWords } from './condition-words.ts'
import { TemplateApply } from './template-apply.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { draftOf, readTemplate, type TemplateDraft, templateText } from './template-file.ts'
import './rules.css'

type Template = OutputFor<typeof findTemplates>['list'][number]
type Detail = Extract<OutputFor<typeof getTrigger>, { template: true }>

const strictnessWords: Readonly<Record<string, readonly [string, Tone]>> = {
  stricter: ['更严', 'fine'],
  looser: ['更松', 'danger'],
  different: ['条件不同', 'warning'],
  missing: ['缺少', 'warning'],
}
interface Applying {
  template: Template
  sites: string[]
  replace: boolean
}
interface Editing {
  id?: string
  version?: number
  initial?: TemplateDraft
}

/** Sets of rules a new site gets in one step, and which sites have drifted from them. */
export default function TemplateListPage() {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const [family, setFamily] = useState<string>()
  const [shown, setShown] = useState<string | undefined>(query.get('id') ?? undefined)
  const [editing, setEditing] = useState<Editing>()
  const [applying, setApplying] = useState<Applying>()
  const file = useRef<HTMLInputElement>(null)
  const mayWrite = useCan('rules.template')
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const list = useCall(findTemplates, { query: { template: true, size: 200, projectCode } }, { quiet: true })
  const removal = useAct(deleteTrigger, { success: '已删除，项目上的规则保留' })
  const templates = list.data?.list ?? []
  const visible = templates.filter((one) => !family || one.family === family)
  const sum = (pick: (one: Template) => number) => templates.reduce((total, one) => total + pick(one), 0)

  const remove = async (one: Template) => {
    const yes = await confirmDanger({
      thing: `删除模板 ${one.name}`,
      consequence: one.sites > 0 ? `${one.sites} 个项目已应用的规则保留，但不再跟随模板。` : '还没有项目使用它。',
      verb: '删除模板',
      keep: '不删除',
    })
    if (!yes) return
    setShown(undefined)
    void removal.run({ params: { id: one.id } })
  }
  const take = async (given: File | undefined) => {
    if (!given) return
    const read = readTemplate(await given.text())
    if ('problem' in read) notify.error(`${given.name} ${read.problem}`)
    else setEditing({ initial: read.draft })
  }
  const save = (one: Template) =>
    saveBlob({
      blob: new Blob([templateText(draftOf(one))], { type: 'application/json' }),
      fileName: `规则模板-${one.name}-v${one.version}.json`,
    })

  return (
    <>
      <ListShell
        remark="模板不会悄悄改变项目：更新后显示有新版本，应用才生效"
        titleActions={
          mayWrite && (
            <>
              <Button icon={<ImportOutlined />} onClick={() => file.current?.click()}>
                导入 JSON
              </Button>
              <input
                ref={file}
                type="file"
                accept=".json,application/json"
                aria-label="选择模板文件"
                style={{ display: 'none' }}
                onChange={(event) => {
                  void take(event.target.files?.[0])
                  event.target.value = ''
                }}
              />
              <Can call={createTrigger}>
                <Button type="primary" onClick={() => setEditing({})}>
                  新建模板
                </Button>
              </Can>
            </>
          )
        }
        strip={
          <FigureStrip
            loading={list.isPending}
            items={[
              { label: '模板', value: templates.length, unit: '个', remark: `共 ${sum((one) => one.triggers.length)} 条规则` },
              { label: '应用', value: sum((one) => one.sites), unit: '项次', remark: '项目与模板的组合' },
              {
                label: '有差异',
                value: sum((one) => one.drifted),
                unit: '项次',
                ...(sum((one) => one.drifted) ? { tone: 'warning' as const, remark: '项目自己改过' } : {}),
              },
              {
                label: '有新版本未应用',
                value: sum((one) => one.outdated),
                unit: '项次',
                tone: sum((one) => one.outdated) ? 'warning' : undefined,
              },
            ]}
          />
        }
        left={
          <SidePanel
            title="设备类型"
            selected={family}
            onSelect={setFamily}
            all={{ title: '全部', count: templates.length }}
            nodes={[...Map.groupBy(templates, (one) => one.family)].map(([key, own]) => ({
              key,
              title: own[0]?.familyName ?? families.data?.list.find((one) => one.key === key)?.name ?? (families.data ? key : '…'),
              count: own.length,
            }))}
          />
        }
      >
        <div className="rule-cards">
          {list.error ? (
            <ErrorPanel error={list.error} retry={list.refetch} />
          ) : list.isPending ? (
            <DetailSkeleton />
          ) : visible.length === 0 ? (
            <div className="zg-card rule-none">
              <Empty text="还没有模板" hint="把一套规则存成模板，新项目一步就能用上">
                {mayWrite && (
                  <Button type="primary" onClick={() => setEditing({})}>
                    新建模板
                  </Button>
                )}
              </Empty>
            </div>
          ) : (
            visible.map((one) => (
              <TemplateCard
                key={one.id}
                one={one}
                onOpen={() => setShown(one.id)}
                onApply={(sites) => setApplying({ template: one, sites, replace: false })}
                onEdit={() => setEditing({ id: one.id, version: one.version, initial: draftOf(one) })}
                onSave={() => save(one)}
                onRemove={() => void remove(one)}
              />
            ))
          )}
        </div>
      </ListShell>
      <PageDrawer open={shown !== undefined} size={960} title="规则模板" onClose={() => setShown(undefined)}>
        {shown && <TemplateDetail id={shown} onApply={(template, sites, replace) => setApplying({ template, sites, replace })} />}
      </PageDrawer>
      {editing && (
        <TemplateEditor id={editing.id} version={editing.version} initial={editing.initial} onClose={() => setEditing(undefined)} />
      )}
      {applying && (
        <TemplateApply
          template={{
            id: applying.template.id,
            name: applying.template.name,
            version: applying.template.version,
            triggers: applying.template.triggers.length,
          }}
          sites={applying.sites}
          replace={applying.replace}
          onClose={() => setApplying(undefined)}
        />
      )}
    </>
  )
}

function TemplateCard({
  one,
  onOpen,
  onApply,
  onEdit,
  onSave,
  onRemove,
}: {
  one: Template
  onOpen: () => void
  onApply: (sites: string[]) => void
  onEdit: () => void
  onSave: () => void
  onRemove: () => void
}) {
  const mayWrite = useCan('rules.template')
  const mayApply = useCan('rules.apply')
  const worst = Math.min(...one.triggers.flatMap((rule) => rule.levels.map((level) => level.level)))
  return (
    <article className="rule-card" aria-label={one.name}>
      <header>
        <button type="button" className="zg-bare rule-card-name" onClick={onOpen}>
          {one.name}
        </button>
        <span className="zg-2">第 {one.version} 版</span>
      </header>
      <div className="rule-card-tags">
        <Tag icon={false}>{one.familyName}</Tag>
        {Number.isFinite(worst) && <RiskBadge level={worst} />}
        {one.outdated > 0 && <Tag tone="warning">{one.outdated} 个项目有新版本</Tag>}
        {one.drifted > 0 && <Tag tone="danger">{one.drifted} 个项目有差异</Tag>}
      </div>
      <p className="rule-card-remark">{one.remark ?? one.triggers.map((rule) => rule.alarmLabel).join('、')}</p>
      <dl>
        <div>
          <dt>规则</dt>
          <dd>{one.triggers.length} 条</dd>
        </div>
        <div>
          <dt>使用项目</dt>
          <dd>{one.sites} 个</dd>
        </div>
        <div className="wide">
          <dt>依据</dt>
          <dd title={one.standard ?? ''}>{one.standard ?? '未填写'}</dd>
        </div>
      </dl>
      <footer>
        {mayApply && (
          <Button size="small" type="primary" ghost onClick={() => onApply([])}>
            应用到项目
          </Button>
        )}
        <Button size="small" onClick={onOpen}>
          查看
        </Button>
        <Dropdown
          menu={{
            items: [
              ...(mayWrite ? [{ key: 'edit', label: '编辑', onClick: onEdit }] : []),
              { key: 'save', label: '导出 JSON', onClick: onSave },
              ...(mayWrite ? [{ key: 'remove', label: '删除', danger: true, onClick: onRemove }] : []),
            ],
          }}
        >
          <Button size="small">更多</Button>
        </Dropdown>
        <span className="zg-2" title={time(one.updateTime)}>
          {age(one.updateTime)}更新
        </span>
      </footer>
    </article>
  )
}

function TemplateDetail({ id, onApply }: { id: string; onApply: (template: Template, sites: string[], replace: boolean) => void }) {
  const [tab, setTab] = useState<'rules' | 'sites'>('rules')
  const mayApply = useCan('rules.apply')
  const { data, error, refetch } = useCall(getTrigger, { params: { id } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  if (!data.template) return <Empty text="这不是模板" />
  const outdated = data.applied.filter((site) => site.version < data.version).map((site) => site.projectCode)
  return (
    <div className="rule-detail">
      <header>
        <h3>{data.name}</h3>
        <Tag icon={false}>{data.familyName}</Tag>
        <span className="zg-2">
          第 {data.version} 版，{time(data.updateTime)}
        </span>
        {mayApply && (
          <span className="right">
            {outdated.length > 0 && <Button onClick={() => onApply(data, outdated, false)}>更新 {outdated.length} 个项目</Button>}
            <Button type="primary" onClick={() => onApply(data, [], false)}>
              应用到项目
            </Button>
          </span>
        )}
      </header>
      {(data.remark || data.standard) && (
        <p>
          {data.remark}
          {data.standard && <span className="zg-2">（依据 {data.standard}）</span>}
        </p>
      )}
      <Segmented<'rules' | 'sites'>
        value={tab}
        options={[
          { value: 'rules', label: `规则 ${data.triggers.length}` },
          { value: 'sites', label: `应用情况 ${data.applied.length}` },
        ]}
        onChange={setTab}
      />
      {tab === 'rules' ? (
        <ol className="rule-sentences">
          {data.triggers.map((rule) => (
            <li key={rule.alarmKey} className={rule.enabled ? '' : 'off'}>
              <b>
                {rule.name}
                {!rule.enabled && <Tag>停用</Tag>}
              </b>
              {rule.levels.map((level) => (
                <div key={level.level}>
                  <RiskBadge level={level.level} word={false} /> {level.text}
                  {scheduleWords(rule.schedule as Schedule)}
                </div>
              ))}
            </li>
          ))}
        </ol>
      ) : (
        <Sites data={data} onApply={mayApply ? (site, replace) => onApply(data, [site], replace) : undefined} />
      )}
    </div>
  )
}

function Sites({ data, onApply }: { data: Detail; onApply: ((site: string, replace: boolean) => void) | undefined }) {
  const take = useAct(duplicateTrigger, { success: '已收回差异，项目恢复为模板' })
  const set = async (site: Detail['applied'][number]) => {
    const yes = await confirmDanger({
      thing: `收回 ${site.projectName} 的 ${site.drift} 处差异`,
      consequence: '项目自己改过的规则恢复为模板的内容，未恢复的告警按新规则重新判定。',
      verb: `收回 ${site.drift} 处`,
      keep: '保留差异',
    })
    if (!yes) return
    void take.run({ params: { id: data.id }, body: { projectCodes: [site.projectCode], templateId: data.id, conflict: 'replace' } })
  }
  if (data.applied.length === 0) return <Empty text="还没有项目使用" hint="应用后可在这里看到各项目与模板的差异" />
  return (
    <div className="rule-sites">
      {data.applied.map((site) => (
        <section key={site.projectCode}>
          <header>
            <b>{site.projectName}</b>
            {site.version < data.version ? (
              <Tag tone="warning">第 {site.version} 版，有新版本</Tag>
            ) : (
              <span className="zg-2">第 {site.version} 版</span>
            )}
            {site.drift > 0 ? <Tag tone="danger">{site.drift} 处差异</Tag> : <Tag tone="fine">与模板一致</Tag>}
            <span className="zg-2">{day(site.appliedAt)} 应用</span>
            {onApply && (
              <span className="right">
                {site.version < data.version && (
                  <Button size="small" onClick={() => onApply(site.projectCode, false)}>
                    更新
                  </Button>
                )}
                {site.drift > 0 && (
                  <Button size="small" danger loading={take.running} onClick={() => void set(site)}>
                    收回差异
                  </Button>
                )}
              </span>
            )}
          </header>
          {site.differences.length > 0 && (
            <table className="rule-openings">
              <thead>
                <tr>
                  <th>告警</th>
                  <th>模板</th>
                  <th>项目</th>
                  <th>比较</th>
                </tr>
              </thead>
              <tbody>
                {site.differences.map((one) => {
                  const [word, tone] = strictnessWords[one.strictness] ?? [one.strictness, 'neutral' as const]
                  return (
                    <tr key={one.alarmKey}>
                      <td>{one.alarmLabel}</td>
                      <td>{one.template}</td>
                      <td>{one.site}</td>
                      <td>
                        <Tag tone={tone}>{word}</Tag>
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          )}
        </section>
      ))}
    </div>
  )
}
