import type { SelfEntryRow } from '@zhugong/contract/personnel/self-entry'
import * as contract from '@zhugong/contract/personnel/self-entry'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { MoreMenu } from '#kit/row-actions.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Hints } from './self-entry-hints.tsx'
import { useTeamOptions } from './team-options.ts'
import './personnel.css'

const ReviewDrawer = laterDialog(() => import('./self-entry-review.tsx').then((file) => file.ReviewDrawer))

const tones: Record<SelfEntryRow['state'], Tone> = { waiting: 'warning', accepted: 'fine', returned: 'neutral' }
const states = Object.entries(contract.selfEntryStates).map(([value, label]) => ({ value, label }))

/** Self-registrations of a site, for review by the officer. */
export default function SelfEntryPage() {
  const scope = useProjectScope()
  const many = scope.projectCode === '*'
  const list = useListPage(contract.selfEntryList, { scope, defaultSort: 'createTime', defaultFilters: { state: 'waiting' } })
  const { teams } = useTeamOptions(scope)
  const [open, setOpen] = useState<SelfEntryRow>()
  const columns: ColumnOf<typeof contract.selfEntryList>[] = [
    { key: 'name', width: 96, locked: true, sort: true, value: (r) => r.name },
    { key: 'projectName', width: 180, hidden: !many, value: (r) => r.projectName },
    { key: 'age', width: 64, value: (r) => r.age },
    { key: 'idCardMask', width: 170, value: (r) => <span className="zg-num">{r.idCardMask}</span> },
    { key: 'cellPhoneMask', width: 120, value: (r) => <span className="zg-num">{r.cellPhoneMask}</span> },
    { key: 'teamId', width: 200, filter: 'single', options: teams, value: (r) => `${r.teamName ?? '--'} · ${r.corpName ?? '--'}` },
    { key: 'workType', width: 96, value: (r) => r.workTypeName },
    { key: 'consentFace', width: 90, value: (r) => (r.consentFace ? (r.hasPhoto ? '有照片' : '同意') : '不同意') },
    { key: 'hints', width: 240, locked: true, value: (r) => <Hints row={r} /> },
    {
      key: 'state',
      width: 90,
      filter: 'multi',
      options: states,
      value: (r) => <Tag tone={tones[r.state]}>{r.stateName}</Tag>,
    },
    { key: 'createTime', width: 140, sort: true, value: (r) => time(r.createTime) },
  ]
  return (
    <ListShell
      remark="工人扫码填写，审核通过后与单个登记一样建档进场"
      titleActions={!many && <Door projectCode={scope.projectCode} />}
      above={!many && <DoorNotice projectCode={scope.projectCode} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'name', placeholder: '姓名' }}
        onRow={setOpen}
        emptyHint={many ? '选择项目后可启用登记二维码' : '启用登记二维码，把海报贴在工地门口'}
        actions={(r) => [
          r.state === 'waiting' && { label: '审核', needs: contract.decideSelfEntry, onClick: () => setOpen(r) },
          r.state === 'accepted' && {
            label: '人员详情',
            href: hrefOf('/personListDetails', { id: r.projectWorkerId ?? '', workerId: r.workerId ?? '' }),
          },
          r.state === 'returned' && { label: '查看', onClick: () => setOpen(r) },
        ]}
      />
      {open && <ReviewDrawer entry={open} onClose={() => setOpen(undefined)} />}
    </ListShell>
  )
}

const useDoor = (projectCode: string) => useCall(contract.selfEntryDoor, { query: { projectCode } }, { quiet: true, staleMs: 15_000 })

function DoorNotice({ projectCode }: { projectCode: string }) {
  const { data } = useDoor(projectCode)
  if (!data) return null
  if (!data.isOpen) return <Notice tone="info">登记二维码未启用，工人不能自助登记。</Notice>
  return (
    <Notice tone="fine" actions={<code>{`${window.location.origin}${contract.joinPage}#${data.key}`}</code>}>
      登记二维码已启用
      {data.updateName && data.updateTime && `（${data.updateName}，${data.updateTime.slice(0, 16)}）`}
    </Notice>
  )
}

/** Prints, renews, disables and enables the site's QR code. */
function Door({ projectCode }: { projectCode: string }) {
  const { data } = useDoor(projectCode)
  const set = useAct(contract.setSelfEntryDoor)
  const print = useAct(contract.selfEntryPoster, { success: false, refreshes: [] })
  if (!data) return null
  const turn = (action: 'open' | 'close' | 'renew') => ({ body: { projectCode, action, version: data.version } })
  if (!data.isOpen)
    return (
      <Can call={contract.setSelfEntryDoor}>
        <Button loading={set.running} onClick={() => void set.run(turn('open'))}>
          启用登记二维码
        </Button>
      </Can>
    )
  return (
    <>
      <Button loading={print.running} onClick={() => void print.run({ query: { projectCode, origin: window.location.origin } })}>
        下载登记海报
      </Button>
      <MoreMenu
        items={[
          {
            label: '更换二维码',
            needs: contract.setSelfEntryDoor,
            onClick: () =>
              void set.afterRequesting(
                { thing: '更换登记二维码', consequence: '已张贴的海报立即失效，须重新打印。', verb: '更换', keep: '不更换' },
                turn('renew'),
              ),
          },
          {
            label: '停用二维码',
            danger: true,
            needs: contract.setSelfEntryDoor,
            onClick: () =>
              void set.afterRequesting(
                { thing: '停用登记二维码', consequence: '工人不能再自助登记；再启用时二维码是新的。', verb: '停用', keep: '保留' },
                turn('close'),
              ),
          },
        ]}
      />
    </>
  )
}
