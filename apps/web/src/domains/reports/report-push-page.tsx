import { PlusOutlined } from '@ant-design/icons'
import { enables, isOn } from '@zhugong/contract/kit/enable'
import {
  listDeliveries,
  listPushes,
  pushList,
  pushResults,
  type ReportPush,
  removePush,
  savePush,
  switchPush,
  testPush,
} from '@zhugong/contract/reports/endpoints'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useGrants } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { useHistory } from '#kit/history.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { MyReports } from './my-reports.tsx'
import { PushDrawer } from './push-drawer.tsx'
import { channelName, contentOptions, periodName, periodOptions, rhythmText, sentChannelOptions } from './report-words.ts'
import { SentTable } from './sent-table.tsx'

const mine = { value: 'mine', label: '我收到的' }
const tabs = [{ value: 'set', label: '推送设置' }, { value: 'sent', label: '发送记录' }, mine]

/** Report pushes: report, recipients, schedule, channel, and deliveries. */
export default function ReportPushPage() {
  const go = useGo()
  const page = usePage()
  const query = usePageQuery()
  const sets = useGrants((grants) => grants.features).includes('report.set')
  const tab = !sets || query.has('report') ? 'mine' : (query.get('tab') ?? 'set')
  const [adding, setAdding] = useState(false)
  return (
    <ListShell
      actions={
        <>
          {sets && <Segmented options={tabs} value={tab} onChange={(next) => go(page.path, { tab: next }, { replace: true })} />}
          {tab === 'set' && (
            <Can call={savePush}>
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
                新增推送
              </Button>
            </Can>
          )}
        </>
      }
      titleActions={
        tab === 'mine' &&
        sets && <Segmented options={tabs} value={tab} onChange={(next) => go(page.path, { tab: next }, { replace: true })} />
      }
      strip={tab !== 'mine' && <Figures />}
    >
      {tab === 'set' ? <PushTable /> : tab === 'sent' ? <SentTable /> : <MyReports />}
      {adding && <PushDrawer onClose={() => setAdding(false)} />}
    </ListShell>
  )
}

function Figures() {
  const pushes = useCall(listPushes, { query: { size: 1, enable: '1' } }, { quiet: true })
  const sent = useCall(listDeliveries, { query: { size: 1 } }, { quiet: true })
  const c = sent.data?.counts
  return (
    <FigureStrip
      loading={!pushes.data || !sent.data}
      items={[
        { label: '启用的推送', value: pushes.data?.total, unit: '个', href: '/reportPushSet?enable=1' },
        { label: '已送达', value: c?.sent, unit: '条', href: '/reportPushSet?tab=sent&state=1' },
        { label: '失败', value: c?.failed, unit: '条', tone: c?.failed ? 'danger' : undefined, href: '/reportPushSet?tab=sent&state=2' },
        { label: '待发送', value: c?.waiting, unit: '条', href: '/reportPushSet?tab=sent&state=0' },
      ]}
    />
  )
}

const resultTones = { '1': 'fine', '2': 'warning', '3': 'danger' } as const

function PushTable() {
  const list = useListPage(pushList, { defaultSort: 'next', defaultSize: 10, own: ['tab'] })
  const go = useGo()
  const [editing, setEditing] = useState<ReportPush>()
  const flip = useAct(switchPush, { success: false })
  const remove = useAct(removePush, { success: '已删除' })
  const history = useHistory()
  const tryOut = useAct(testPush, { success: '已排队，一分钟内送到您的各渠道' })
  const columns: ColumnOf<typeof pushList>[] = [
    { key: 'name', width: 200, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'reportType', width: 80, filter: 'multi', options: periodOptions, value: (r) => periodName(r.reportType) },
    { key: 'next', locked: true, width: 150, sort: true, value: (r) => r.next?.slice(0, 16) ?? null },
    {
      key: 'lastResult',
      locked: true,
      width: 120,
      filter: 'multi',
      options: Object.entries(pushResults).map(([value, label]) => ({ value, label })),
      value: (r) =>
        r.lastResult && (
          <a
            href={hrefOf('/reportPushSet', { tab: 'sent', pushId: r.id })}
            onClick={(e) => {
              e.preventDefault()
              go('/reportPushSet', { tab: 'sent', pushId: r.id })
            }}
          >
            <Tag tone={resultTones[r.lastResult]}>{r.lastFailed ? `失败 ${r.lastFailed} 条` : pushResults[r.lastResult]}</Tag>
          </a>
        ),
    },
    {
      key: 'content',
      width: 200,
      filter: 'multi',
      options: contentOptions,
      value: (r) => r.content.map((key) => contentOptions.find((one) => one.value === key)?.label).join('、'),
    },
    {
      key: 'scope',
      width: 170,
      value: (r) => r.projects.map((one) => one.name).join('、') || <span className="zg-2">各人可见的全部</span>,
    },
    { key: 'receivers', width: 200, value: (r) => [...r.roles, ...r.users].map((one) => one.name).join('、') || null },
    {
      key: 'channels',
      width: 130,
      filter: 'multi',
      options: sentChannelOptions.slice(0, -1),
      value: (r) => [...r.channels.map(channelName), ...(r.webhookUrl ? ['回调'] : [])].join('、'),
    },
    { key: 'sendAt', width: 190, value: rhythmText },
    { key: 'lastTime', width: 150, sort: true, hidden: true, value: (r) => r.lastTime?.slice(0, 16) ?? null },
    { key: 'enable', width: 90, filter: 'single', options: enableOptions, value: (r) => <EnableTag enable={r.enable} /> },
    { key: 'updateTime', width: 160, hidden: true, sort: true, value: (r) => `${r.updateBy} ${r.updateTime}` },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        unit="个"
        search={{ key: 'name', placeholder: '名称' }}
        emptyHint="例如：每周一 08:00 把上周出勤、到岗与报警发给公司管理层"
        actions={(r) => [
          { label: '修改', needs: savePush, onClick: () => setEditing(r) },
          { label: '发送测试给我', needs: testPush, onClick: () => void tryOut.run({ params: { id: r.id } }) },
          switchAction({
            enable: r.enable,
            needs: switchPush,
            question: {
              thing: `停用推送 ${r.name}`,
              consequence: '到时不再发送；随时可以启用，从下一次起发送。',
              verb: '停用',
              keep: '保持启用',
            },
            run: () => flip.run({ params: { id: r.id }, body: { enable: isOn(r.enable) ? enables.off : enables.on, version: r.version } }),
          }),
          history.row({ kind: 'reportPush', object: r.id, name: r.name }),
          {
            label: '删除',
            danger: true,
            needs: removePush,
            onClick: () =>
              void remove.afterRequesting(
                {
                  thing: `删除推送 ${r.name}`,
                  consequence: '不再发送，排队中的取消；已发送的记录与报表保留。',
                  verb: '删除',
                  keep: '保留',
                },
                { params: { id: r.id } },
              ),
          },
        ]}
      />
      {history.drawer}
      {editing && <PushDrawer push={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}
