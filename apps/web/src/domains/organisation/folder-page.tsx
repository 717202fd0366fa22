import { CopyOutlined, PlusOutlined } from '@ant-design/icons'
import { isOn } from '@zhugong/contract/kit/enable'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { projectStates } from '@zhugong/contract/organisation/codes'
import {
  changeFolder,
  copyFolders,
  createFolder,
  type FolderModule,
  type FolderNode,
  folderChildren,
  folderModules,
  folderProjectList,
  folderTree,
  removeFolder,
  updateFolder,
} from '@zhugong/contract/organisation/project-groups'
import { Button, Checkbox, Select } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { showFailure } from '#kit/http.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { switchScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { MoreMenu } from '#kit/row-actions.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ChangeFolderDrawer, CopyFoldersDrawer, MergeFolderDrawer, MoveProjectsDrawer, NewFolderDrawer } from './folder-drawers.tsx'
import { draggedFromBeside, MovableTree } from './movable-tree.tsx'
import { flat } from './org-tree.ts'
import { stateTones } from './project-words.ts'
import './organisation.css'

type Project = OutputFor<typeof folderProjectList.call>['list'][number]
type Open = { what: 'new' | 'change' | 'merge' | 'copy' } | { what: 'move'; projects: readonly Project[]; done?: () => void }

/** URL value: only projects directly in the folder, without subfolders. */
const itself = '0'
const views = { ungrouped: '未分组', finished: '已竣工' } as const
type View = keyof typeof views
const isView = (key: string | undefined): key is View => key !== undefined && key in views

/** Folders of projects, and the projects in none. */
export default function FolderPage() {
  const go = useGo()
  const dicts = useDicts('projectState', 'projectCorpType')
  const list = useListPage(folderProjectList, { defaultSort: '-joinTime' })
  const module = (list.filters.module ?? 'labor_real_name') as FolderModule
  const tree = useCall(folderTree, { query: { module } }, { quiet: true, keepPrevious: true })
  const [open, setOpen] = useState<Open>()
  const folders = tree.data?.tree ?? []
  const figures = tree.data?.figures
  const { groupId, view, below } = list.filters
  const node = flat(folders).find((one) => one.id === groupId)
  const select = (key: string | undefined) =>
    list.setFilters(isView(key) ? { view: key, groupId: undefined, below: undefined } : { groupId: key, view: undefined })
  const { grab, take, choose } = useDrag(module)
  const mayEdit = useCan(updateFolder)
  const move = useAct(updateFolder, { success: '项目组已移动' })
  const enter = (p: Project) =>
    void switchScope({ projectCode: p.projectCode, projectName: p.name })
      .then((entered) => entered && go('/main'))
      .catch(showFailure)
  const close = () => setOpen(undefined)
  const columns: ColumnOf<typeof folderProjectList>[] = [
    {
      key: 'name',
      width: 220,
      locked: true,
      sort: true,
      filter: 'text',
      value: (p) => (
        <span className={mayEdit ? 'org-grab' : undefined} title={mayEdit ? '拖到左侧项目组' : undefined} {...(mayEdit ? grab(p) : {})}>
          <button type="button" className="zg-bare zg-link" onClick={() => enter(p)}>
            {p.name}
          </button>
        </span>
      ),
    },
    { key: 'projectCode', width: 168, filter: 'text', sort: true, value: (p) => p.projectCode },
    { key: 'groupPath', width: 180, value: (p) => p.groupPath ?? <Tag tone="warning">未分组</Tag> },
    {
      key: 'prjStatus',
      width: 84,
      sort: true,
      filter: 'multi',
      options: dicts.options('projectState'),
      value: (p) => (
        <Tag tone={stateTones[p.prjStatus] ?? 'neutral'} icon={false}>
          {p.prjStatusName}
        </Tag>
      ),
    },
    { key: 'areaCode', width: 96, filter: 'area-cascader', value: (p) => p.areaName },
    { key: 'manager', width: 96, filter: 'text', value: (p) => p.manager },
    { key: 'ourRole', width: 120, filter: 'multi', options: dicts.options('projectCorpType'), value: (p) => p.ourRoleName },
    { key: 'onSite', width: 88, align: 'right', sort: true, filter: 'numeric-range', value: (p) => thousands(p.onSite) },
    { key: 'joinTime', width: 150, sort: true, filter: 'date-range', value: (p) => p.joinTime },
  ]
  return (
    <ListShell
      left={
        <SidePanel
          title="项目组"
          width={272}
          nodes={[]}
          onSelect={select}
          footer={
            <Can call={createFolder}>
              <Button size="small" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
                {node ? '新增下级项目组' : '新增项目组'}
              </Button>
            </Can>
          }
        >
          <div className="org-module">
            <Select
              aria-label="模块"
              value={module}
              options={Object.entries(folderModules).map(([value, label]) => ({ value, label }))}
              onChange={(next: FolderModule) =>
                list.setFilters({
                  module: next === 'labor_real_name' ? undefined : next,
                  groupId: undefined,
                  view: undefined,
                  below: undefined,
                })
              }
            />
            {folders.length === 0 && tree.data && (
              <Can call={copyFolders}>
                <Button size="small" icon={<CopyOutlined />} onClick={() => setOpen({ what: 'copy' })}>
                  从其他模块复制
                </Button>
              </Can>
            )}
          </div>
          {tree.error ? (
            <ErrorPanel error={tree.error} retry={tree.refetch} />
          ) : (
            <MovableTree
              thing="项目组"
              tree={folders}
              tops={[
                { key: undefined, label: '全部项目', count: figures?.total },
                { key: 'ungrouped', label: views.ungrouped, count: figures?.ungrouped, takes: true },
                { key: 'finished', label: views.finished, count: figures?.finished },
              ]}
              selected={view ?? node?.id}
              count={(n) => n.projects}
              remark={(n) => n.head}
              onSelect={select}
              onMove={mayEdit ? (n, to) => void move.run({ params: { id: n.id }, body: { ...to, version: n.version } }) : undefined}
              onTake={mayEdit ? (id) => void take(isView(id) ? null : (id ?? null)) : undefined}
            />
          )}
        </SidePanel>
      }
      strip={
        <FigureStrip
          loading={!tree.data}
          items={[
            { label: '项目', value: figures?.total, unit: '个', href: hrefFor(module, {}) },
            {
              label: '未分组',
              value: figures?.ungrouped,
              unit: '个',
              remark: '没有归属的分支',
              tone: figures?.ungrouped ? 'warning' : undefined,
              href: hrefFor(module, { view: 'ungrouped' }),
            },
            {
              label: '停工',
              value: figures?.stopped,
              unit: '个',
              tone: figures?.stopped ? 'danger' : undefined,
              href: hrefFor(module, { prjStatus: projectStates.stopped }),
            },
            { label: '在册', value: figures?.onSite, unit: '人', remark: `在建 ${figures?.building ?? '--'} 个` },
          ]}
        />
      }
      above={
        <>
          {node && <FolderBar node={node} open={(what) => setOpen({ what })} onGone={() => select(undefined)} />}
          {!view && <Branches module={module} node={node} onOpen={select} />}
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="projectCode"
        unit="个"
        search={{ key: 'name', placeholder: '项目名称' }}
        emptyHint={node ? '从“全部项目”或“未分组”把项目拖到这里' : undefined}
        toolbar={
          node && (
            <Checkbox checked={below !== itself} onChange={(event) => list.setFilter('below', event.target.checked ? undefined : itself)}>
              含下级
            </Checkbox>
          )
        }
        selection={
          mayEdit
            ? {
                unit: '个',
                onChange: choose,
                actions: (projects: readonly Project[], done: () => void) => (
                  <Button size="small" onClick={() => setOpen({ what: 'move', projects, done })}>
                    移到项目组
                  </Button>
                ),
              }
            : undefined
        }
        actions={(p) => [
          { label: '进入', onClick: () => enter(p) },
          { label: '移到项目组', needs: changeFolder, onClick: () => setOpen({ what: 'move', projects: [p] }) },
        ]}
      />
      {open?.what === 'new' && <NewFolderDrawer tree={folders} module={module} parent={node} onClose={close} />}
      {open?.what === 'copy' && <CopyFoldersDrawer module={module} onClose={close} />}
      {open?.what === 'change' && node && <ChangeFolderDrawer tree={folders} node={node} onClose={close} />}
      {open?.what === 'merge' && node && <MergeFolderDrawer tree={folders} node={node} onClose={close} onGone={() => select(undefined)} />}
      {open?.what === 'move' && (
        <MoveProjectsDrawer tree={folders} module={module} projects={open.projects} onClose={close} onDone={open.done} />
      )}
    </ListShell>
  )
}

const hrefFor = (module: FolderModule, filters: Record<string, string>) =>
  hrefOf('/system/organProject', { module: module === 'labor_real_name' ? undefined : module, ...filters })

/** Drag and drop of project rows: drags the grabbed row, or all selected rows if it is one of them. */
function useDrag(module: FolderModule) {
  const chosen = useRef<readonly Project[]>([])
  const current = useRef<readonly Project[]>([])
  const act = useAct(changeFolder, { success: ({ moved }) => (moved ? `已移动 ${moved} 个项目` : '项目已在该组') })
  const grab = (p: Project) => ({
    draggable: true,
    onDragStart: (event: React.DragEvent) => {
      current.current = chosen.current.some((one) => one.projectCode === p.projectCode) ? chosen.current : [p]
      event.dataTransfer.setData(draggedFromBeside, String(current.current.length))
      event.dataTransfer.effectAllowed = 'move'
    },
  })
  const take = async (groupId: string | null) => {
    const projectCodes = current.current.map((p) => p.projectCode)
    if (projectCodes.length > 0) await act.run({ body: { module, projectCodes, groupId } })
  }
  const choose = (rows: readonly Project[]) => {
    chosen.current = rows
  }
  return { grab, take, choose }
}

/** The selected folder and its actions. */
function FolderBar({ node, open, onGone }: { node: FolderNode; open: (what: 'change' | 'merge') => void; onGone: () => void }) {
  const remove = useAct(removeFolder, { success: '项目组已删除', onDone: onGone })
  const flip = useAct(updateFolder, { success: false })
  const mayEdit = useCan(updateFolder)
  const on = isOn(node.enable)
  const turn = { params: { id: node.id }, body: { enable: on ? ('0' as const) : ('1' as const), version: node.version } }
  const full = node.own > 0 || node.children.length > 0
  const drop = () =>
    remove.afterRequesting(
      { thing: `删除项目组 ${node.name}`, consequence: '组内没有项目和下级项目组，删除后不能恢复。', verb: '删除项目组', keep: '保留' },
      { params: { id: node.id }, query: {} },
    )
  const question = {
    thing: `停用项目组 ${node.name}`,
    consequence: `现有 ${node.projects} 个项目不变；停用后不能再加入项目。`,
    verb: '停用项目组',
    keep: '保持启用',
  }
  return (
    <div className="org-node-bar">
      <b>{node.name}</b>
      {!on && <Tag>已停用</Tag>}
      <span className="zg-2">
        负责人 {node.head ?? '未指定'} · 本组 {node.own} 个项目 · 含下级 {node.projects} 个
      </span>
      {mayEdit && (
        <MoreMenu
          label="项目组操作"
          items={[
            { label: '改名、移动或指定负责人', onClick: () => open('change') },
            { label: on ? '停用' : '启用', onClick: () => (on ? flip.afterRequesting(question, turn) : flip.run(turn)) },
            { label: '并入其他项目组', onClick: () => open('merge') },
            { label: '删除', danger: true, disabled: full && '组内还有项目或下级项目组，可并入其他项目组', onClick: () => void drop() },
          ]}
        />
      )}
    </div>
  )
}

type Branch = OutputFor<typeof folderChildren>['list'][number]

/** States shown as separate bars; the others are combined. */
const drawnStates = [
  { name: '在建', color: colors.fine, states: [projectStates.building] },
  { name: '停工', color: colors.danger, states: [projectStates.stopped] },
  { name: '筹备与立项', color: colors.primarySoft, states: [projectStates.planned, projectStates.approved] },
  { name: '完工及以后', color: colors.border, states: [projectStates.finished, projectStates.accepted, projectStates.closed] },
]
const barHeight = 26

/** Subfolders compared: projects by state, people, open alarms. A click opens one. */
function Branches({ module, node, onOpen }: { module: FolderModule; node: FolderNode | undefined; onOpen: (id: string) => void }) {
  const children = useCall(folderChildren, { query: { module, id: node?.id } }, { quiet: true, keepPrevious: true })
  const list = children.data?.list ?? noBranches
  const option = useMemo<ChartOption>(() => branchOption(list), [list])
  if (list.length === 0) return null
  const height = list.length * barHeight + 56
  return (
    <Card title={node ? `${node.name}的下级` : '各项目组'} remark="按状态的项目数，点击进入" flush>
      <Chart
        option={option}
        height={height}
        label={list.map((one) => `${one.name} ${one.projects} 个项目，在册 ${one.onSite} 人`).join('；')}
        onClick={({ name }) => {
          const one = list.find((child) => child.name === name)
          if (one) onOpen(one.id)
        }}
      />
    </Card>
  )
}
const noBranches: readonly Branch[] = []

function branchOption(list: readonly Branch[]): ChartOption {
  const rows = list.toReversed()
  return {
    grid: { left: 12, right: 150, top: 28, bottom: 4, containLabel: true },
    legend: { top: 0, right: 12 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: { type: 'value', minInterval: 1, axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: [
      { type: 'category', data: rows.map((one) => one.name) },
      // A second axis on the right shows figures that are not in the bars.
      {
        type: 'category',
        position: 'right',
        axisLine: { show: false },
        axisTick: { show: false },
        data: rows.map((one) => `在册 ${thousands(one.onSite)} · 待处理告警 ${one.openAlarms}`),
      },
    ],
    series: drawnStates.map(({ name, color, states }) => ({
      type: 'bar',
      stack: 'all',
      barMaxWidth: 14,
      name,
      itemStyle: { color },
      data: rows.map((one) => states.reduce((sum, state) => sum + (one.byState[state] ?? 0), 0)),
    })),
  }
}
