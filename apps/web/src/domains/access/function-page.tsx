import { listRoles } from '@zhugong/contract/access/endpoints'
import { editFunction, type FunctionRow, functionHolders, functionList, listFunctions } from '@zhugong/contract/access/functions'
import { groupTypeName } from '@zhugong/contract/access/group-types'
import { riskName, risks } from '@zhugong/contract/access/role-work'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions } from '#kit/enable.tsx'
import { Card, Empty, ErrorPanel, FigureStrip, Pairs, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { showFailure } from '#kit/http.ts'
import { Choice, LongText } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { personalRisk } from './role-words.ts'
import { saveText } from './save-text.ts'
import './access.css'

const { Field } = formOf(editFunction)

const riskOptions = risks.map((one) => ({ value: one.code, label: one.name }))

/** Permission codes: what each allows and who has it. */
export default function FunctionPage() {
  const list = useListPage(functionList, { defaultSize: 10 })
  const all = useCall(listFunctions, { query: { size: 1 } }, { quiet: true })
  const [shown, setShown] = useState<FunctionRow>()
  const [edited, setEdited] = useState<FunctionRow>()
  const stop = useStop()
  const history = useHistory()
  const f = all.data?.figures
  const columns: ColumnOf<typeof functionList>[] = [
    { key: 'code', width: 190, locked: true, sort: true, filter: 'text', value: (x) => x.code },
    { key: 'title', width: 160, locked: true, filter: 'text', value: (x) => x.title },
    {
      key: 'module',
      width: 120,
      filter: 'multi',
      options: (all.data?.modules ?? []).map((m) => ({ value: m.module, label: m.name })),
      value: (x) => x.moduleName,
    },
    {
      key: 'risk',
      width: 100,
      filter: 'single',
      options: riskOptions,
      value: (x) => (x.risk === personalRisk ? <Tag tone="danger">{riskName(x.risk)}</Tag> : riskName(x.risk)),
    },
    { key: 'menus', width: 96, align: 'right', value: (x) => x.menus.length || <Tag tone="warning">未挂接</Tag> },
    { key: 'endpoints', width: 88, align: 'right', value: (x) => x.endpoints.length || <Tag tone="danger">无接口校验</Tag> },
    { key: 'roles', width: 88, align: 'right', sort: true, filter: 'numeric-range', value: (x) => x.roles },
    {
      key: 'users',
      width: 100,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (x) => x.users || <span className="zg-2">无人</span>,
    },
    { key: 'enable', width: 88, filter: 'single', options: enableOptions, value: (x) => <EnableTag enable={x.enable} /> },
  ]
  const module = list.filters.module
  return (
    <ListShell
      left={
        <SidePanel
          title="模块"
          nodes={(all.data?.modules ?? []).map((m) => ({ key: m.module, title: m.name, count: m.functions }))}
          selected={module}
          all={{ title: '全部', count: f?.total }}
          onSelect={(key) => list.setFilter('module', key === '*' ? undefined : key)}
        />
      }
      actions={<Button onClick={() => void saveMatrix().catch(showFailure)}>导出角色权限矩阵</Button>}
      strip={
        <FigureStrip
          loading={!all.data}
          items={[
            { label: '权限码', value: f?.total, unit: '个', href: '/functionList' },
            { label: '未挂接菜单', value: f?.unattached, unit: '个', href: '/functionList?view=unattached' },
            { label: '无人持有', value: f?.unheld, unit: '个', href: '/functionList?view=unheld' },
            { label: '个人信息类', value: f?.personal, unit: '个', href: '/functionList?view=personal' },
            {
              label: '无接口校验',
              value: f?.unasked,
              unit: '个',
              remark: '属于缺陷',
              tone: f?.unasked ? 'danger' : undefined,
              href: '/functionList?view=unasked',
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="code"
        unit="个"
        search={{ key: 'title', placeholder: '名称' }}
        filterWords={{
          view: { title: '关注', words: { unattached: '未挂接菜单', unheld: '无人持有', personal: '个人信息类', unasked: '无接口校验' } },
        }}
        onRow={setShown}
        rowClass={(x) => (isOn(x.enable) ? '' : 'zg-2')}
        actions={(x) => [
          { label: '修改', needs: editFunction, onClick: () => setEdited(x) },
          { label: isOn(x.enable) ? '全局停用' : '恢复', danger: isOn(x.enable), needs: editFunction, onClick: () => stop(x) },
          history.row({ kind: 'function', object: x.code, name: x.title }),
        ]}
      />
      {history.drawer}
      {shown && <HoldersDrawer row={shown} onClose={() => setShown(undefined)} />}
      {edited && <EditDrawer row={edited} onClose={() => setEdited(undefined)} />}
    </ListShell>
  )
}

/** Disables a code for everybody at once: asks for a reason, then for the code itself as confirmation. */
function useStop() {
  const act = useAct(editFunction, { success: false })
  return async (x: FunctionRow) => {
    const { code, title, remark, version } = x
    const on = isOn(x.enable)
    const reason = on ? await askReason(`全局停用 ${title}`, '停用原因') : ''
    if (reason === undefined) return
    const sure =
      !on ||
      (await confirmDanger({
        thing: `让所有人失去“${title}”`,
        consequence: `${x.roles} 个角色、${x.users} 人立即不能再用此功能，正在打开的页面也随之失效；恢复后一切如旧。`,
        verb: '全局停用',
        keep: '保持可用',
        typeName: code,
        typeLabel: '请输入权限码确认',
      }))
    const risk = risks.find((one) => one.code === x.risk)?.code ?? '1'
    if (sure) await act.run({ body: { code, title, remark, risk, version, enable: turned(x.enable), reason, confirmed: true } })
  }
}

function EditDrawer({ row, onClose }: { row: FunctionRow; onClose: () => void }) {
  const act = useAct(editFunction)
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="修改功能说明"
      remark={row.code}
      initial={{ code: row.code, title: row.title, remark: row.remark, risk: row.risk, enable: row.enable, version: row.version }}
      input={(body) => ({ body: { ...body, code: row.code, version: row.version } })}
      onClose={onClose}
    >
      <Field name="title" label="名称" help="说明会发生什么，例如“查看完整身份证号”，不写技术用语">
        <Input />
      </Field>
      <Field name="remark" label="说明">
        <LongText />
      </Field>
      <Field name="risk" label="敏感级别">
        <Choice options={riskOptions} clear={false} />
      </Field>
    </FormDrawer>
  )
}

function HoldersDrawer({ row, onClose }: { row: FunctionRow; onClose: () => void }) {
  const { data, error, isPending, refetch } = useCall(functionHolders, { params: { code: row.code } }, { quiet: true })
  return (
    <PageDrawer open title={`${row.title}（${row.code}）`} onClose={onClose}>
      <Pairs
        items={[
          { label: '说明', value: row.remark, wide: true },
          { label: '可持有的组', value: row.groupTypes.map(groupTypeName).join('、') },
          { label: '敏感级别', value: riskName(row.risk) },
          { label: '挂接菜单', value: row.menus.map((one) => one.title).join('、'), wide: true },
          { label: '接口', value: row.endpoints.join('；') || '没有接口校验此权限，属于缺陷', wide: true },
          ...(isOn(row.enable) ? [] : [{ label: '停用原因', value: `${row.reason}（${row.updateBy ?? '--'}）`, wide: true }]),
        ]}
      />
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : isPending ? (
        <TableSkeleton rows={6} columns={3} />
      ) : (
        <>
          <Card title="角色" remark={`${data.roles.length} 个`}>
            {data.roles.length === 0 && <Empty small text="没有角色含此权限" />}
            <ul className="acc-list">
              {data.roles.map((role) => (
                <li key={role.id}>
                  {role.name} <span className="acc-code">{role.groupName ?? `${groupTypeName(role.groupsType)}模板`}</span> {role.users} 人
                </li>
              ))}
            </ul>
          </Card>
          <Card title="持有人" remark="按机构">
            {data.groups.length === 0 && <Empty small text="无人持有" />}
            <ul className="acc-list">
              {data.groups.map((group) => (
                <li key={group.groupName}>
                  {group.groupName} {group.users} 人
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </PageDrawer>
  )
}

/** Saves a CSV matrix: one row per code, one column per role template, a mark where the template has the code. */
async function saveMatrix(): Promise<void> {
  const [{ list: roles }, { list: codes }] = await Promise.all([
    call(listRoles, { query: { view: 'template', size: 1000 } }),
    call(listFunctions, { query: { size: 1000 } }),
  ])
  const head = ['权限码', '名称', ...roles.map((role) => `${groupTypeName(role.groupsType)} ${role.name}`)]
  const lines = codes.map((one) => [one.code, one.title, ...roles.map((role) => (role.codes.includes(one.code) ? '√' : ''))])
  saveText('角色权限矩阵.csv', [head, ...lines])
}
