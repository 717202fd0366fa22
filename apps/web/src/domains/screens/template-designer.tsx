import { groupTypes } from '@zhugong/contract/access/group-types'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { grid, mostPages, type PanelKey, panelOf, panelsFor } from '@zhugong/contract/screens/catalogue'
import { copyTemplate, getTemplate, updateTemplate } from '@zhugong/contract/screens/endpoints'
import { type ScreenBody, screenLevelNames, templateState, templateStates } from '@zhugong/contract/screens/model'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan, withCode } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { useGo, usePage } from '#kit/page.tsx'
import { forgetUnsaved, useUnsaved } from '#kit/unsaved.ts'
import { emptyCells, emptyPage, faultsOf, onPage, onPanel, withPanel } from './arrange.ts'
import { hubFor } from './hub.ts'
import { AssignDrawer } from './template-assign.tsx'
import { Board } from './template-board.tsx'
import type { Draft } from './template-draft.ts'
import { PanelFields, TemplateFields } from './template-fields.tsx'
import { WidthPreview } from './template-preview.tsx'
import { PublishDialog, Versions } from './template-versions.tsx'
import { useSteps } from './use-steps.ts'
import { Wall } from './wall.tsx'
import './screens.css'
import './template.css'

type Template = OutputFor<typeof getTemplate>

/** Editor of one template: arrange panels on the live wall, preview at several sizes, publish, assign. */
export function Designer({ id, onBack }: { id: string; onBack: () => void }) {
  const { data, error, refetch } = useCall(getTemplate, { params: { id } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Design key={`${data.id} ${data.version}`} read={data} onBack={onBack} />
}

const same = (a: Draft, b: Draft) => JSON.stringify(a) === JSON.stringify(b)

function Design({ read, onBack }: { read: Template; onBack: () => void }) {
  const page = usePage()
  const go = useGo()
  const current: Draft = useMemo(() => ({ name: read.name, description: read.description, body: read.body }), [read])
  const steps = useSteps(current, page.active)
  const draft = steps.now
  const mayEdit = useCan(withCode(updateTemplate, 'screens.edit'))
  const locked = !read.own || !mayEdit
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<string>()
  const [view, setView] = useState<'arrange' | 'preview'>('arrange')
  const [publishing, setPublishing] = useState(false)
  const [assigning, setAssigning] = useState(false)
  const dirty = !locked && !same(draft, current)
  useUnsaved(dirty, page.cacheKey, `大屏模板 ${read.name}`)
  const act = useAct(updateTemplate, { success: '草稿已保存，发布后墙屏才会变', onDone: () => forgetUnsaved(page.cacheKey) })
  const copy = useAct(copyTemplate, { success: '已复制为草稿', onDone: ({ id }) => go('/screenTemplateManage', { id }) })
  const faults = faultsOf(read.level, draft.body)
  const nowAt = Math.min(at, draft.body.pages.length - 1)
  const shown = draft.body.pages[nowAt] ?? emptyPage('')
  const panel = shown.panels.find((one) => one.uid === chosen)
  const set = (body: ScreenBody) => steps.take({ ...draft, body })
  const save = async () =>
    (await act.run({ params: { id: read.id }, body: { action: 'save', ...draft, version: read.version } })) !== undefined
  const wrong = new Set(faults.flatMap((one) => (one.page === nowAt && one.uid ? [one.uid] : [])))
  const add = (key: PanelKey) => {
    const made = withPanel(draft.body, nowAt, key)
    if (!made) return
    set(made.body)
    setChosen(made.uid)
  }
  const remove = (uid: string) => {
    set(onPage(draft.body, nowAt, (one) => ({ ...one, panels: one.panels.filter((other) => other.uid !== uid) })))
    setChosen(undefined)
  }
  const leave = async () => {
    const question = { thing: '放弃未保存的编排', consequence: '离开后没有保存的改动不再保留。', verb: '放弃', keep: '继续编排' }
    if (dirty && !(await confirmDanger(question))) return
    forgetUnsaved(page.cacheKey)
    onBack()
  }
  const data = usePreviewData(read.level)
  return (
    <PageShell
      title={`大屏模板 ${read.name}`}
      remark={
        <>
          {screenLevelNames[read.level]}大屏，
          <Tag tone={read.state === templateState.published ? 'fine' : 'neutral'}>{templateStates[read.state]}</Tag>{' '}
          {read.publishedVersion ? `发布的是第 ${read.publishedVersion} 版` : '从未发布'}
        </>
      }
      actions={
        <>
          <Button onClick={() => void leave()}>返回列表</Button>
          {!locked && (
            <>
              <Button disabled={!steps.canUndo} onClick={steps.undo} title="Ctrl+Z">
                撤销
              </Button>
              <Button disabled={!steps.canRedo} onClick={steps.redo} title="Ctrl+Y">
                重做
              </Button>
              <Button type="primary" disabled={!dirty || faults.length > 0} loading={act.running} onClick={() => void save()}>
                保存草稿
              </Button>
            </>
          )}
          {read.own && (
            <>
              <Can call={withCode(updateTemplate, 'screens.publish')}>
                <Button disabled={dirty || faults.length > 0} title={dirty ? '先保存草稿' : undefined} onClick={() => setPublishing(true)}>
                  发布
                </Button>
              </Can>
              <Can call={withCode(updateTemplate, 'screens.assign')}>
                <Button
                  disabled={dirty || read.state !== templateState.published}
                  title={dirty ? '先保存草稿' : read.state === templateState.published ? undefined : '发布后才能分配'}
                  onClick={() => setAssigning(true)}
                >
                  分配
                </Button>
              </Can>
            </>
          )}
        </>
      }
    >
      {locked && (
        <Notice
          tone="info"
          actions={
            <Can call={copyTemplate}>
              <Button size="small" loading={copy.running} onClick={() => void copy.run({ params: { id: read.id } })}>
                复制后编排
              </Button>
            </Can>
          }
        >
          {read.delivered ? '随产品交付的标准模板，只供查看' : read.own ? '没有编辑大屏模板的权限，只供查看' : '其他机构的模板，只供查看'}
        </Notice>
      )}
      <div className="screen-design">
        <Catalogue level={read.level} full={(key) => !withPanel(draft.body, nowAt, key)} locked={locked} onAdd={add} />
        <div className="screen-design-middle">
          <Card
            title={view === 'arrange' ? '排布' : '预览'}
            remark={view === 'arrange' ? `${grid.columns} × ${grid.rows} 格，本页空 ${emptyCells(shown)} 格` : undefined}
            actions={
              <>
                {data.choice}
                <Segmented
                  size="small"
                  aria-label="画面"
                  value={view}
                  options={[
                    { value: 'arrange', label: '排布' },
                    { value: 'preview', label: '预览' },
                  ]}
                  onChange={setView}
                />
              </>
            }
            flush
          >
            {view === 'preview' ? (
              <WidthPreview hub={data.hub} level={read.level} body={draft.body} title={data.title} />
            ) : (
              <div className="screen-preview screen-arranged">
                <Wall
                  hub={data.hub}
                  level={read.level}
                  body={{ ...draft.body, pages: [shown] }}
                  setting={undefined}
                  title={data.title}
                  logo={null}
                  closed={[]}
                  mode="preview"
                />
                <Board
                  page={shown}
                  chosen={chosen}
                  wrong={wrong}
                  locked={locked}
                  onChoose={setChosen}
                  onPlace={(placed) => set(onPanel(draft.body, nowAt, placed.uid, () => placed))}
                  onRemove={remove}
                />
              </div>
            )}
          </Card>
          <Pages draft={draft.body} at={nowAt} locked={locked} onAt={setAt} onChange={set} />
          <Faults faults={faults} pages={draft.body.pages.length} onShow={(fault) => (setAt(fault.page), setChosen(fault.uid))} />
        </div>
        <div className="screen-right">
          {panel ? (
            <PanelFields
              panel={panel}
              level={read.level}
              locked={locked}
              onChange={(next) => set(onPanel(draft.body, nowAt, panel.uid, () => next))}
              onRemove={() => remove(panel.uid)}
            />
          ) : (
            <TemplateFields draft={draft} at={nowAt} locked={locked} onChange={steps.take} />
          )}
          <Versions template={read} locked={dirty} />
        </div>
      </div>
      {publishing && <PublishDialog template={read} onClose={() => setPublishing(false)} />}
      {assigning && <AssignDrawer id={read.id} onClose={() => setAssigning(false)} />}
    </PageShell>
  )
}

/** Data of the preview: the caller's own, or of a chosen site for a site template. */
function usePreviewData(level: number) {
  const type = useGroupType()
  const chooses = level === groupTypes.project && type !== groupTypes.project
  const projects = useCall(pickProjects, { query: { size: 100 } }, { enabled: chooses, quiet: true })
  const [picked, setPicked] = useState<string>()
  const list = projects.data?.list ?? []
  const project = chooses ? (picked ?? list[0]?.projectCode) : undefined
  const hub = useMemo(() => hubFor(project), [project])
  useEffect(() => () => hub.stop(), [hub])
  const name = list.find((one) => one.projectCode === project)?.name
  return {
    hub,
    title: name ?? '数据大屏',
    choice: chooses && (
      <div className="screen-preview-of">
        <Choice
          aria-label="预览哪个项目的数据"
          clear={false}
          value={project}
          loading={projects.isPending}
          options={list.map((one) => ({ value: one.projectCode, label: one.name }))}
          onChange={setPicked}
        />
      </div>
    ),
  }
}

function Catalogue(props: { level: number; locked: boolean; full: (key: PanelKey) => boolean; onAdd: (key: PanelKey) => void }) {
  const themes = Map.groupBy(panelsFor(props.level), (key) => panelOf(key)?.theme ?? '通用')
  return (
    <Card title="面板" remark="点选加入本页" className="screen-catalogue" scrolls>
      {[...themes].map(([theme, keys]) => (
        <section key={theme}>
          <h3>{theme}</h3>
          {keys.map((key) => (
            <Button
              key={key}
              size="small"
              disabled={props.locked || props.full(key)}
              title={!props.locked && props.full(key) ? '本页没有放得下的空位' : undefined}
              onClick={() => props.onAdd(key)}
            >
              {panelOf(key)?.title}
            </Button>
          ))}
        </section>
      ))}
    </Card>
  )
}

interface PagesProps {
  draft: ScreenBody
  at: number
  locked: boolean
  onAt: (page: number) => void
  onChange: (body: ScreenBody) => void
}
/** Pages of the wall in rotation order. */
function Pages({ draft, at, locked, onAt, onChange }: PagesProps) {
  const { pages } = draft
  const swap = (to: number) => {
    const next = [...pages]
    const [one] = next.splice(at, 1)
    if (one) next.splice(to, 0, one)
    onChange({ ...draft, pages: next })
    onAt(to)
  }
  return (
    <div className="screen-pages">
      <Segmented
        aria-label="页"
        value={at}
        options={pages.map((one, i) => ({ value: i, label: `${i + 1} ${one.title || `第 ${i + 1} 页`}（${one.seconds} 秒）` }))}
        onChange={onAt}
      />
      {!locked && (
        <>
          <Button
            size="small"
            disabled={pages.length >= mostPages}
            onClick={() => {
              onChange({ ...draft, pages: [...pages, emptyPage(`第 ${pages.length + 1} 页`)] })
              onAt(pages.length)
            }}
          >
            加一页
          </Button>
          <Button size="small" disabled={at === 0} onClick={() => swap(at - 1)}>
            前移
          </Button>
          <Button size="small" disabled={at === pages.length - 1} onClick={() => swap(at + 1)}>
            后移
          </Button>
          <Button
            size="small"
            danger
            disabled={pages.length === 1}
            onClick={() => {
              onChange({ ...draft, pages: pages.filter((_, i) => i !== at) })
              onAt(Math.max(0, at - 1))
            }}
          >
            删除本页
          </Button>
        </>
      )}
    </div>
  )
}

type Fault = ReturnType<typeof faultsOf>[number]
function Faults({ faults, pages, onShow }: { faults: readonly Fault[]; pages: number; onShow: (fault: Fault) => void }) {
  if (faults.length === 0) return null
  return (
    <Notice tone="danger">
      <ul className="screen-faults">
        {faults.map((fault) => (
          <li key={`${fault.page} ${fault.uid} ${fault.message}`}>
            {pages > 1 && `第 ${fault.page + 1} 页：`}
            {fault.message}{' '}
            <Button type="link" size="small" onClick={() => onShow(fault)}>
              查看
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
