import { CopyOutlined, PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import {
  type CivilVersion,
  changeCivilItem,
  civilOwnerNames,
  createCivilVersion,
  issueCivilVersion,
  listCivilVersions,
  removeCivilVersion,
} from '@zhugong/contract/civil/library'
import { areaCodes, areaName } from '@zhugong/contract/civil/score'
import { enables } from '@zhugong/contract/kit/enable'
import { civilItemList, createCheckItem, listCivilItems } from '@zhugong/contract/scoring/library'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag } from '#kit/enable.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { uid } from '#kit/uid.ts'
import { Labelled } from '../checks/public.tsx'
import { CivilItemSheet } from './civil-item-sheet.tsx'
import { anyProject, paths } from './civil-words.tsx'
import './civil.css'

const library = 'civil' as const
const allItems = 1000

/** Our standard for civilised construction, by area and version. */
export default function CivilItemsPage() {
  const go = useGo()
  const scope = { ...useProjectScope(), library }
  const list = useListPage(civilItemList, { scope, defaultSort: 'itemCode', tabs: ['versionId', 'area'] })
  const versions = useCall(listCivilVersions, { query: { projectCode: scope.projectCode } }, { quiet: true })
  const versionId = list.filters.versionId
  const counted = useCall(listCivilItems, { query: { ...scope, versionId, size: allItems } }, { quiet: true })
  const [open, setOpen] = useState<'item' | 'copy' | 'issue'>()
  const isProject = useGroupType() === groupTypes.project
  const mayEdit = useCan(changeCivilItem)
  const toggle = useAct(changeCivilItem)
  const remove = useAct(removeCivilVersion, { success: '草稿版本已删除', onDone: () => list.setFilter('versionId', undefined) })
  const all = versions.data?.list ?? []
  const chosen = all.find((one) => one.id === versionId) ?? all.find((one) => one.inForce)
  const isDraft = chosen !== undefined && !chosen.issued && chosen.own
  const items = counted.data?.list ?? []
  const columns = useColumns()
  return (
    <ListShell
      left={
        <SidePanel
          title="区域"
          all={{ title: '全部', count: items.length }}
          nodes={areaCodes.map((key) => ({ key, title: areaName(key), count: items.filter((one) => one.area === key).length }))}
          selected={list.filters.area}
          onSelect={(key) => list.setFilter('area', key && key !== '*' ? key : undefined)}
          width={208}
        />
      }
      actions={
        <>
          <Can call={createCheckItem}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('item')}>
              {isDraft ? '新增检查项' : '新增扩展项'}
            </Button>
          </Can>
          {!isProject && (
            <Can call={createCivilVersion}>
              <Button icon={<CopyOutlined />} onClick={() => setOpen('copy')}>
                复制版本
              </Button>
            </Can>
          )}
          {isDraft && (
            <Can call={issueCivilVersion}>
              <Button onClick={() => setOpen('issue')}>发布版本</Button>
              <Button
                danger
                loading={remove.running}
                onClick={() =>
                  void remove.afterRequesting(
                    {
                      thing: `删除未发布的版本 ${chosen.name}`,
                      consequence: '其中的检查项一并删除，已发布的版本不受影响。',
                      verb: '删除版本',
                    },
                    { params: { id: chosen.id }, query: anyProject },
                  )
                }
              >
                删除草稿
              </Button>
            </Can>
          )}
        </>
      }
      above={
        <Notice tone={isDraft ? 'warning' : 'info'}>
          {chosen
            ? `${chosen.name}：${chosen.groupName}，${chosen.itemCount} 项合计 ${chosen.marks} 分，${chosen.effectiveFrom ? `${chosen.effectiveFrom} 起生效` : '尚未发布'}${chosen.inForce ? '，现行' : ''}；已开始的检查按开始时的版本完成。`
            : '还没有发布的版本，现按国家标准条目检查。'}
        </Notice>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => row.id || row.itemCode}
        unit="项"
        search={{ key: 'name', placeholder: '检查项' }}
        toolbar={
          <span className="civil-version">
            <Choice
              aria-label="标准版本"
              clear={false}
              placeholder="国家标准条目"
              options={all.map((one) => ({
                value: one.id,
                label: `${one.name}${one.inForce ? '（现行）' : one.issued ? '' : '（草稿）'}`,
              }))}
              value={chosen?.id ?? null}
              onChange={(id) => list.setFilter('versionId', id)}
            />
          </span>
        }
        onRow={(row) => row.id && go(paths.item, { id: row.id })}
        emptyHint="没有符合条件的检查项"
        filterWords={{ enable: { title: '状态', words: { true: '启用', false: '停用' } } }}
        actions={(row) => [
          row.id !== '' && { label: '查看', href: hrefOf(paths.item, { id: row.id }) },
          mayEdit &&
            row.own && {
              label: row.enable ? '停用' : '启用',
              onClick: () =>
                void toggle.run({
                  params: { id: row.id },
                  query: anyProject,
                  body: { action: row.enable ? 'disable' : 'enable', version: row.version },
                }),
            },
        ]}
      />
      {open === 'item' && <CivilItemSheet item={undefined} versionId={isDraft ? chosen.id : null} onClose={() => setOpen(undefined)} />}
      {open === 'copy' && <CopySheet from={chosen} onDone={(id) => list.setFilter('versionId', id)} onClose={() => setOpen(undefined)} />}
      {open === 'issue' && isDraft && <IssueSheet version={chosen} onClose={() => setOpen(undefined)} />}
    </ListShell>
  )
}

function CopySheet({ from, onDone, onClose }: { from: CivilVersion | undefined; onDone: (id: string) => void; onClose: () => void }) {
  const [id] = useState(() => uid())
  const [name, setName] = useState(from ? `${from.name.slice(0, 50)} 修订` : `文明施工检查标准 ${day(Date.now()).slice(0, 4)}`)
  const act = useAct(createCivilVersion, {
    success: '已复制为草稿版本',
    onDone: () => {
      onDone(id)
      onClose()
    },
  })
  return (
    <FormSheet
      title="复制版本"
      remark={from ? `由“${from.name}”复制，发布前可逐项修改` : '由国家标准条目复制，发布前可逐项修改'}
      saving={act.running}
      onSave={() => void act.run({ query: anyProject, body: { id, name, from: from?.id ?? null } }, { fieldsShown: true })}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty
    >
      <Labelled label="版本名称" problem={act.fieldErrors.name}>
        {(field) => <Input id={field} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />}
      </Labelled>
    </FormSheet>
  )
}

function IssueSheet({ version, onClose }: { version: CivilVersion; onClose: () => void }) {
  const [from, setFrom] = useState(day(Date.now()))
  const act = useAct(issueCivilVersion, { success: '版本已发布', onDone: onClose })
  return (
    <FormSheet
      title={`发布 ${version.name}`}
      remark="发布后不能再改；生效日起新开始的检查使用它，已开始的按原版本完成"
      saveText="发布"
      saving={act.running}
      onSave={() =>
        void act.run(
          { params: { id: version.id }, query: anyProject, body: { version: version.version, effectiveFrom: from } },
          { fieldsShown: true },
        )
      }
      onClose={onClose}
      errors={act.fieldErrors}
      dirty
    >
      <Labelled label="生效日期" problem={act.fieldErrors.effectiveFrom}>
        {(field) => <DayInput id={field} min={day(Date.now())} value={from} onChange={(next) => setFrom(next ?? day(Date.now()))} />}
      </Labelled>
    </FormSheet>
  )
}

function useColumns(): ColumnOf<typeof civilItemList>[] {
  const dicts = useDicts('projectPhase')
  return [
    { key: 'itemCode', width: 104, locked: true, sort: true, filter: 'text', value: (r) => r.itemCode },
    { key: 'name', width: 260, locked: true, filter: 'text', value: (r) => r.name },
    { key: 'areaName', width: 100, value: (r) => r.areaName },
    { key: 'partName', width: 150, weak: true, value: (r) => r.partName },
    { key: 'maxScore', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.maxScore },
    { key: 'rule', width: 240, weak: true, filter: 'text', value: (r) => r.rule },
    {
      key: 'phaseNames',
      width: 140,
      filter: 'multi',
      filterKey: 'phase',
      options: dicts.options('projectPhase'),
      value: (r) => r.phaseNames.join('、') || '各阶段',
    },
    {
      key: 'owner',
      width: 96,
      filter: 'multi',
      options: Object.entries(civilOwnerNames).map(([value, label]) => ({ value, label })),
      value: (r) =>
        r.versionId === null && r.owner !== 'standard' ? (
          <Tag tone="running" icon={false}>
            {r.ownerName}
          </Tag>
        ) : (
          r.ownerName
        ),
    },
    { key: 'goodCount', width: 96, align: 'right', value: (r) => (r.goodCount + r.badCount ? `${r.goodCount + r.badCount} 张` : null) },
    {
      key: 'enable',
      width: 88,
      keeps: true,
      filter: 'single',
      options: [
        { value: 'true', label: '启用' },
        { value: 'false', label: '停用' },
      ],
      value: (r) => <EnableTag enable={r.enable ? enables.on : enables.off} />,
    },
  ]
}
