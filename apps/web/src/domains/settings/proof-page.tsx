import { checkCareerProof } from '@zhugong/contract/settings/career-proof'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Notice, Pairs } from '#kit/feedback.tsx'
import './settings.css'

/** Public page that verifies a certificate of employment by its number. */
export default function ProofPage() {
  const [query, setQuery] = useSearchParams()
  const number = query.get('no') ?? ''
  const [typed, setTyped] = useState(number)
  const check = () => setQuery(typed.trim() ? { no: typed.trim() } : {})
  return (
    <main className="set-proof">
      <h1>从业证明核验</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          check()
        }}
      >
        <label htmlFor="proof-number">证明编号</label>
        <div className="zg-row">
          <Input id="proof-number" value={typed} maxLength={24} onChange={(event) => setTyped(event.target.value)} />
          <Button type="primary" htmlType="submit">
            核验
          </Button>
        </div>
      </form>
      {number !== '' && <Proof key={number} number={number} />}
    </main>
  )
}

function Proof({ number }: { number: string }) {
  const { data, error } = useCall(checkCareerProof, { query: { number } }, { quiet: true })
  if (error) return <Notice tone="danger">未能核验：{error.message}</Notice>
  if (!data) return <DetailSkeleton />
  return (
    <>
      <Notice tone="fine">该证明由本平台出具，请核对纸面内容与下列一致</Notice>
      <Card title={data.number} remark={`${data.issuedTime} 出具`}>
        <Pairs
          items={[
            { label: '姓名', value: data.name },
            { label: '摘要', value: data.digest },
          ]}
        />
      </Card>
      <Card title="从业经历" flush>
        <div className="set-scroll">
          <table className="set-table">
            <thead>
              <tr>
                <th>项目</th>
                <th>工种或岗位</th>
                <th>进场</th>
                <th>退场</th>
                <th>出勤天数</th>
              </tr>
            </thead>
            <tbody>
              {data.stays.map((one) => (
                <tr key={`${one.projectName} ${one.entryTime}`}>
                  <td>{one.projectName}</td>
                  <td>{one.workTypeName ?? '--'}</td>
                  <td>{one.entryTime}</td>
                  <td>{one.exitTime ?? '在场'}</td>
                  <td className="num">{one.attendDays}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Card title="教育培训（合格）">
        {data.trainings.length === 0 ? '无' : data.trainings.map((one) => `${one.typeName} ${one.times} 次 ${one.hours} 学时`).join('；')}
      </Card>
    </>
  )
}
