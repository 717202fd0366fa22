import { ImportOutlined } from '@ant-design/icons'
import { createTrigger, deleteTrigger, findTemplates } from '@zhugong/contract/rules/endpoints'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { saveBlob, useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePageQuery } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { TemplateApply } from './template-apply.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { draftOf, readTemplate, type TemplateDraft, templateText } from './template-file.ts'
import './rules.css'
import { type Template, TemplateCard } from './template-card.tsx'
import { TemplateDetail } from './template-detail.tsx'

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

/** Rule templates for new sites, and sites whose rules differ from their template. */
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
                hidden
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
            loading={!list.data}
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
