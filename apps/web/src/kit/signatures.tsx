import type { SignatureCall, SignatureRow } from '@zhugong/contract/kit/signatures'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useAct } from './call.ts'
import { Card, Tag, type Tone } from './feedback.tsx'
import { type SignGiven, SignSheet } from './sign-sheet.tsx'
import { uid } from './uid.ts'

type State = SignatureRow['state']
const words: Readonly<Record<State, { text: string; tone: Tone }>> = {
  waiting: { text: '待签', tone: 'warning' },
  named: { text: '未手写', tone: 'neutral' },
  signed: { text: '已签', tone: 'fine' },
  refused: { text: '拒签', tone: 'danger' },
  void: { text: '已失效', tone: 'neutral' },
}

type Mode = 'own' | 'other' | 'refuse'
const titles: Readonly<Record<Mode, string>> = { own: '签名', other: '请他人签名', refuse: '记录拒签' }

/** The seats of a record with their drawings; whoever may signs here, or has somebody sign on this device. */
export function SignaturesCard({ rows, call, id }: { rows: readonly SignatureRow[]; call: SignatureCall; id: string }) {
  const [open, setOpen] = useState<{ row: SignatureRow; mode: Mode } | undefined>(undefined)
  if (rows.length === 0) return null
  const current = rows.filter((one) => one.state !== 'void')
  const done = current.filter((one) => one.state === 'signed' || one.state === 'refused').length
  return (
    <Card title="签名" remark={`${done} / ${current.length} 已签`}>
      <ul className="zg-signs">
        {rows.map((row) => (
          <Seat key={row.id ?? row.seat} row={row} onOpen={(mode) => setOpen({ row, mode })} />
        ))}
      </ul>
      {open && <Signing key={open.row.seat + open.mode} {...open} call={call} id={id} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

function Seat({ row, onOpen }: { row: SignatureRow; onOpen: (mode: Mode) => void }) {
  const { text, tone } = words[row.state]
  const modes: Mode[] = [
    ...(row.own ? ['own' as const] : []),
    ...(row.tablet ? ['other' as const] : []),
    ...(row.refusable ? ['refuse' as const] : []),
  ]
  return (
    <li>
      <div className="who">
        <b>{row.role}</b> <Tag tone={tone}>{text}</Tag>
        <div className="zg-2">
          {[row.name ?? row.expects, row.at?.slice(0, 16), row.place, row.phone].filter(Boolean).join(' · ') || '尚无人签名'}
        </div>
        {row.state === 'signed' && row.byName && <div className="zg-2">由 {row.byName} 的设备签名</div>}
        {row.state === 'refused' && (
          <div className="tone-danger">
            理由：{row.reason}；见证人 {row.witness}，记录人 {row.byName}
          </div>
        )}
        {row.state === 'void' && <div className="zg-2">内容已变更，此签名不再有效</div>}
        {modes.length > 0 && (
          <div className="zg-row zg-wrap zg-gap-6">
            {modes.map((mode) => (
              <Button key={mode} type={mode === 'own' ? 'primary' : undefined} danger={mode === 'refuse'} onClick={() => onOpen(mode)}>
                {titles[mode]}
              </Button>
            ))}
          </div>
        )}
      </div>
      {row.image && <img src={row.image} alt={`${row.name ?? ''}的签名`} className={row.state === 'void' ? 'void' : ''} />}
    </li>
  )
}

interface SigningProps {
  row: SignatureRow
  mode: Mode
  call: SignatureCall
  id: string
  onClose: () => void
}
function Signing({ row, mode, call, id, onClose }: SigningProps) {
  const act = useAct(call, { success: mode === 'refuse' ? '已记录拒签' : '已签名', onDone: onClose })
  // One id for this sheet: sent again after a broken connection, it is written once.
  const own = useRef(uid())
  const send = ({ name, phone, place, image, reason, witness }: SignGiven) => {
    const seat = { id: own.current, seat: row.seat, place, device: navigator.userAgent.slice(0, 200) }
    return act.run(
      {
        params: { id },
        // The record is named by its id, whatever project is chosen.
        query: { projectCode: '*' },
        body:
          mode === 'refuse'
            ? { action: 'refuse', ...seat, name, reason, witness }
            : { action: 'sign', ...seat, name: mode === 'other' ? name : null, phone, image: image ?? '' },
      },
      { fieldsShown: true },
    )
  }
  return (
    <SignSheet
      mode={mode}
      title={`${row.role}${titles[mode]}`}
      saveText={mode === 'refuse' ? '记录拒签' : '确认签名'}
      expects={row.expects}
      saving={act.running}
      errors={act.fieldErrors}
      onSend={send}
      onClose={onClose}
    />
  )
}
