import { PlusOutlined, PrinterOutlined } from '@ant-design/icons'
import { isSub } from '@zhugong/contract/fire/catalogue'
import { changeFireItem, type FireItemRow, fireItemList, listFireItems } from '@zhugong/contract/fire/settings'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { anyProject, LevelTag, levelNames } from './fire-words.tsx'
import './fire.css'

const { Field } = formOf(changeFireItem)

/** Which points are checked, with what weight, and where do they apply? */
export default function FireItemsPage() {
  const print = usePrint('fireTables')
  const list = useListPage(fireItemList, { scope: anyProject })
  const branch = list.filters.branch ?? ''
  const whole = useCall(
    listFireItems,
    { query: { ...anyProject, page: 1, size: 1, branch: branch || undefined } },
    { quiet: true, keepPrevious: true },
  )
  const [editing, setEditing] = useState<FireItemRow | 'new'>()
  const act = useAct(changeFireItem, {
    success: (done) => (done.open > 0 ? `已存为第 ${done.version} 版；${done.open} 件在办评定沿用原版本` : `已存为第 ${done.version} 版`),
  })
  const data = whole.data
  const version = data?.version ?? 0
  const sub = data?.branches.find((one) => one.code === branch && isSub(one.code))
  const put = (row: FireItemRow, enable: boolean) => {
    const { code, name, level, method, needsValue, applicable, seq } = row
    return act.run({ query: anyProject, body: { version, code, name, level, method, needsValue, applicable, enable, seq } })
  }
  const turn = async (row: FireItemRow) => {
    if (!row.enable) return put(row, true)
    const question = {
      thing: `停用 ${row.code} ${row.name}`,
      consequence: `该要点在 ${row.open} 件在办评定中；它们沿用开始时的目录，新的评定不再检查。`,
      verb: '停用',
    }
    return (await confirmDanger(question)) ? put(row, false) : undefined
  }
  return (
    <ListShell
      left={
        <SidePanel
          title="项目与子项"
          selected={branch}
          nodes={treeOf(data?.branches ?? [])}
          onSelect={(code) => list.setFilter('branch', code || undefined)}
        />
      }
      strip={
        <FigureStrip
          loading={!data}
          items={[
            { label: 'A 关键', value: data?.levels.A, unit: '个', remark: data?.versionName },
            { label: 'B 主要', value: data?.levels.B, unit: '个' },
            { label: 'C 一般', value: data?.levels.C, unit: '个' },
          ]}
        />
      }
      actions={
        <>
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'fireTables', exportType: 'pdf', query: {} } })}
          >
            打印空表
          </Button>
          <Can call={changeFireItem}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
              增加本地要点
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={useColumns()}
        rowKey="code"
        unit="个"
        search={{ key: 'name', placeholder: '要点名称' }}
        emptyHint="选择左侧的项目或子项"
        filterWords={{
          branch: { title: '项目', words: Object.fromEntries((data?.branches ?? []).map((one) => [one.code, one.name])) },
          changed: { title: '与交付目录不同', words: { true: '是' } },
        }}
        toolbar={
          <>
            {sub && (
              <Can call={changeFireItem} fallback={sub.fullCheck && <Tag>全数检查</Tag>}>
                <Checkbox
                  checked={sub.fullCheck}
                  disabled={act.running}
                  onChange={(event) =>
                    void act.run({ query: anyProject, body: { version, code: sub.code, fullCheck: event.target.checked } })
                  }
                >
                  {sub.name}全数检查
                </Checkbox>
              </Can>
            )}
            <Checkbox
              checked={list.filters.changed === 'true'}
              onChange={(event) => list.setFilter('changed', event.target.checked ? 'true' : undefined)}
            >
              只看与交付目录不同的
            </Checkbox>
          </>
        }
        actions={(row) => [
          { label: '修改', needs: changeFireItem, onClick: () => setEditing(row) },
          { label: row.enable ? '停用' : '启用', danger: row.enable, needs: changeFireItem, onClick: () => void turn(row) },
        ]}
      />
      {editing && (
        <ItemDrawer
          act={act}
          row={editing === 'new' ? undefined : editing}
          version={version}
          subs={(data?.branches ?? []).filter((one) => isSub(one.code))}
          branch={branch}
          onClose={() => setEditing(undefined)}
        />
      )}
    </ListShell>
  )
}

interface Branch {
  code: string
  name: string
  table: string | null
  points: number
}
const treeOf = (branches: readonly Branch[]) =>
  branches
    .filter((one) => one.code.length === 2)
    .map((project) => ({
      key: project.code,
      title: `${project.table ?? ''} ${project.name}`,
      count: project.points,
      children: branches
        .filter((one) => isSub(one.code) && one.code.startsWith(project.code))
        .map((sub) => ({ key: sub.code, title: sub.name, count: sub.points })),
    }))

interface ItemDrawerProps {
  act: ReturnType<typeof useItemAct>
  row: FireItemRow | undefined
  version: number
  subs: readonly Branch[]
  branch: string
  onClose: () => void
}
const useItemAct = () => useAct(changeFireItem)

function ItemDrawer({ act, row, version, subs, branch, onClose }: ItemDrawerProps) {
  const dicts = useDicts('firePlace')
  return (
    <FormDrawer
      act={act}
      open
      title={row ? '修改要点' : '增加本地要点'}
      remark={row ? `${row.code} ${row.name}` : '编码由子项编号加 91 起的序号组成'}
      onClose={onClose}
      initial={
        row
          ? {
              version,
              code: row.code,
              name: row.name,
              level: row.level,
              method: row.method,
              needsValue: row.needsValue,
              applicable: row.applicable,
              enable: row.enable,
              seq: row.seq,
            }
          : { version, code: isSub(branch) ? branch : undefined, method: '', needsValue: false, applicable: [], enable: true }
      }
      input={(body) => ({ query: anyProject, body: { ...body, version } })}
    >
      {row === undefined && (
        <Field name="code" label="子项">
          <Choice clear={false} options={subs.map((one) => ({ value: one.code, label: `${one.code} ${one.name}` }))} />
        </Field>
      )}
      {(row === undefined || row.local) && (
        <>
          <Field name="name" label="名称" required>
            <Input />
          </Field>
          <Field name="level" label="重要程度" required>
            <Choice clear={false} options={Object.entries(levelNames).map(([value, label]) => ({ value, label }))} />
          </Field>
        </>
      )}
      <Field name="method" label="检查方法" span="all">
        <Input />
      </Field>
      <Field name="needsValue" label="设计值与实测值" valueName="checked">
        <Checkbox>须填写</Checkbox>
      </Field>
      <Field name="seq" label="排序">
        <NumberInput min={0} precision={0} />
      </Field>
      <Field name="applicable" label="适用场所" span="all" help="不选为全部">
        <Choices options={dicts.options('firePlace')} />
      </Field>
    </FormDrawer>
  )
}

function useColumns(): ColumnOf<typeof fireItemList>[] {
  const dicts = useDicts('firePlace')
  return [
    { key: 'code', width: 96, locked: true, filter: 'text', filterKey: 'itemCode', value: (r) => <span className="zg-num">{r.code}</span> },
    {
      key: 'name',
      width: 200,
      value: (r) => (
        <>
          {r.name} {r.local && <Tag>本地</Tag>} {!r.local && r.changed && <Tag tone="warning">已改</Tag>}
        </>
      ),
    },
    { key: 'projectName', width: 150, weak: true, value: (r) => r.projectName },
    { key: 'subName', width: 150, value: (r) => r.subName },
    {
      key: 'level',
      width: 96,
      keeps: true,
      filter: 'multi',
      options: Object.entries(levelNames).map(([value, label]) => ({ value, label })),
      value: (r) => <LevelTag level={r.level} />,
    },
    { key: 'method', width: 200, value: (r) => r.method },
    { key: 'needsValue', width: 96, value: (r) => (r.needsValue ? '须填' : null) },
    {
      key: 'applicable',
      width: 130,
      filter: 'single',
      options: dicts.options('firePlace'),
      weak: true,
      value: (r) => (r.applicable.length === 0 ? '全部' : r.applicable.join('、')),
    },
    { key: 'fullCheck', width: 96, value: (r) => (r.fullCheck ? '全数' : null) },
    {
      key: 'used',
      width: 110,
      align: 'right',
      value: (r) => (
        <span className="zg-num">
          {r.used}
          {r.open > 0 && <span className="zg-2">（在办 {r.open}）</span>}
        </span>
      ),
    },
    {
      key: 'enable',
      width: 84,
      keeps: true,
      filter: 'single',
      options: [
        { value: '1', label: '启用' },
        { value: '2', label: '停用' },
      ],
      value: (r) => <Tag tone={r.enable ? 'fine' : 'neutral'}>{r.enable ? '启用' : '停用'}</Tag>,
    },
  ]
}
