import { Button, Input } from 'antd'
import { useState } from 'react'
import { Card, Notice } from './feedback.tsx'
import { saveAddress, showFailure } from './http.ts'

const mostWitnesses = 5

interface Witness {
  name: string
  digits: string
}
interface WitnessCardProps {
  title: string
  /** Label of the button. */
  verb: string
  running: boolean
  /** Why the server refused the witnesses. */
  problem: string | undefined
  onDraw: (witnesses: Witness[]) => void
}

/** Names and digits of the witnesses of a draw. */
export function WitnessCard({ title, verb, running, problem, onDraw }: WitnessCardProps) {
  const [rows, setRows] = useState([{ id: 1, name: '', digits: '' }])
  const set = (id: number, part: Partial<Witness>) => setRows(rows.map((one) => (one.id === id ? { ...one, ...part } : one)))
  return (
    <Card title={title} remark="每名见证人随口报 1 至 6 位数字">
      {rows.map(({ id, name, digits }, at) => (
        <div key={id} className="zg-witness">
          <Input
            aria-label={`见证人 ${at + 1}`}
            placeholder="见证人"
            maxLength={50}
            value={name}
            onChange={(event) => set(id, { name: event.target.value })}
          />
          <Input
            aria-label={`见证数字 ${at + 1}`}
            placeholder="数字"
            inputMode="numeric"
            maxLength={6}
            value={digits}
            onChange={(event) => set(id, { digits: event.target.value })}
          />
        </div>
      ))}
      {problem && <p className="tone-danger">{problem}</p>}
      <div className="zg-row zg-gap-8">
        <Button disabled={rows.length >= mostWitnesses} onClick={() => setRows([...rows, { id: rows.length + 1, name: '', digits: '' }])}>
          增加见证人
        </Button>
        <Button type="primary" loading={running} onClick={() => onDraw(rows.map(({ name, digits }) => ({ name, digits })))}>
          {verb}
        </Button>
      </div>
    </Card>
  )
}

/** Short form of a hash; the whole one is in the title. */
export const Hash = ({ text }: { text: string }) => (
  <code className="zg-hash" title={text}>
    {text.slice(0, 16)}…
  </code>
)

interface Verified {
  /** What anybody can repeat the draw with. */
  file: object
  agrees: boolean
  chain: { entries: number; sound: boolean }
}

/** Asks the server to repeat a draw, and saves the file with which anybody can do the same. */
export function useVerification(verifyDraw: () => Promise<Verified>, fileName: string) {
  const [verdict, setVerdict] = useState<Omit<Verified, 'file'>>()
  const [busy, setBusy] = useState(false)
  const verify = async () => {
    setBusy(true)
    try {
      const { file, ...found } = await verifyDraw()
      setVerdict(found)
      saveAddress(URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' })), fileName)
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const notice = verdict && (
    <Notice tone={verdict.agrees && verdict.chain.sound ? 'fine' : 'danger'}>
      {verdict.agrees && verdict.chain.sound
        ? `复核一致：名单、种子与结果相符，存证链 ${verdict.chain.entries} 条完整。核验文件已下载。`
        : '复核不一致，请保留核验文件并报告。'}
    </Notice>
  )
  return { verify, busy, notice }
}
