import { correctionKinds } from '@zhugong/contract/attendance/facts'
import { createFix } from '@zhugong/contract/attendance/fix-endpoints'
import type { RecordRow } from '@zhugong/contract/attendance/records'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Can } from '#kit/can.tsx'
import { Pairs } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { UploadState } from '../docking/public.tsx'
import { FixDrawer, type FixWanted } from './fix-drawer.tsx'

/** One record as received, with its position in the ledger. */
export function RecordFacts({ row }: { row: RecordRow }) {
  const [wanted, setWanted] = useState<FixWanted>()
  // Corrections offered: assign a record without a person; release or void a quarantined one; void any other or change its direction.
  const kinds =
    row.workerId === null ? (['assign'] as const) : row.quarantine ? (['release', 'void'] as const) : (['void', 'direction'] as const)
  return (
    <div className="att-account">
      {row.picture && <Thumb src={row.picture} name={`${row.name} ${row.date}`} width={120} height={160} />}
      <Pairs
        items={[
          { label: '设备时间', value: time(row.date) },
          { label: '到达时间', value: time(row.receivedAt) },
          { label: '方向', value: row.directionName ?? '设备未报' },
          { label: '方式', value: row.attendTypeName },
          { label: '通道', value: row.channel },
          { label: '设备编号', value: row.terminalCode },
          { label: '比对分', value: row.sim?.toFixed(1) },
          { label: '来源', value: row.sourceName },
          { label: '重复上报', value: row.duplicated ? `${row.duplicated} 次，只存首份` : '无' },
          { label: '待核', value: row.quarantineText },
          { label: '账本序号', value: thousands(row.seq) },
          { label: '上报', value: <UploadState objectType="attendanceRecord" sourceId={`${row.projectCode}/${row.id}`} none="未上报" /> },
          { label: '账本哈希', value: <code className="att-hash">{row.hash}</code>, wide: true },
        ]}
      />
      <p className="att-links">
        {row.workerId && (
          <Link to={hrefOf('/CheckingDetail', { projectCode: row.projectCode, workerId: row.workerId, date: row.date.slice(0, 10) })}>
            当日考勤怎样算出
          </Link>
        )}
        <Link to={hrefOf('/checkRecord', { terminalCode: row.terminalCode, date: around(row.date) })}>前后 5 分钟同闸机</Link>
        <Link to={hrefOf('/checkRecord', { tab: 'ledger', no: row.seq })}>台账中的位置</Link>
      </p>
      <Can call={createFix} at={{ projectCode: row.projectCode }}>
        <div className="att-acts">
          {kinds.map((kind) => (
            <Button
              key={kind}
              onClick={() =>
                setWanted({
                  kind,
                  projectCode: row.projectCode,
                  who: `${row.name} ${row.date}`,
                  date: row.date.slice(0, 10),
                  target: row.id,
                })
              }
            >
              {correctionKinds[kind]}
            </Button>
          ))}
        </div>
      </Can>
      {wanted && <FixDrawer wanted={wanted} onClose={() => setWanted(undefined)} />}
    </div>
  )
}

const aroundMs = 5 * 60_000
/** Time range of five minutes before and after, to find records of other people at the same gate. */
function around(date: string): string {
  const at = Date.parse(`${date.replace(' ', 'T')}+08:00`)
  return `${time(at - aroundMs)},${time(at + aroundMs)}`
}
