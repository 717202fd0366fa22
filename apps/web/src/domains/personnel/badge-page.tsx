import { checkBadge } from '@zhugong/contract/personnel/badges'
import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Notice, Pairs } from '#kit/feedback.tsx'
import './open.css'

/** Public page opened by the QR code of a badge. */
export default function BadgePage() {
  const { hash } = useLocation()
  const go = useNavigate()
  const code = decodeURIComponent(hash.slice(1))
  const [typed, setTyped] = useState('')
  useEffect(() => {
    document.title = '胸牌核验'
  }, [])
  return (
    <main className="per-open">
      <h1>胸牌核验</h1>
      {code && <BadgeResult key={code} code={code} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim()) void go({ hash: encodeURIComponent(typed.trim()) }, { replace: true })
        }}
      >
        <label htmlFor="badge-code">{code ? '核验另一张' : '扫描胸牌二维码后粘贴在此'}</label>
        <div className="zg-row">
          <Input id="badge-code" value={typed} maxLength={300} onChange={(event) => setTyped(event.target.value)} />
          <Button type={code ? 'default' : 'primary'} htmlType="submit">
            核验
          </Button>
        </div>
      </form>
    </main>
  )
}

function BadgeResult({ code }: { code: string }) {
  const { data, error } = useCall(checkBadge, { body: { code } }, { quiet: true, staleMs: 0 })
  if (error) return <Notice tone="danger">未能核验：{error.message}</Notice>
  if (!data) return <DetailSkeleton />
  const { person } = data
  return (
    <>
      <p className={data.valid ? 'verdict fine' : 'verdict danger'} role="status">
        {data.valid ? '有效' : '无效'}
        {data.reason && <span>{data.reason}</span>}
      </p>
      {person && (
        <section>
          {person.photo && <img className="face" src={person.photo} alt="本人照片" />}
          <Pairs
            items={[
              { label: '姓名', value: person.name },
              { label: '工种或岗位', value: `${person.workTypeName ?? '--'}${person.isTeamLeader ? '（班组长）' : ''}` },
              { label: '班组', value: person.teamName ?? '--' },
              { label: '用工单位', value: person.corpName ?? '--' },
              { label: '项目', value: person.projectName },
              { label: '进场', value: person.entryDate },
              ...(person.exitDate ? [{ label: '退场', value: person.exitDate }] : []),
              ...(data.valid ? [{ label: '有效至', value: person.untilDate ? `${person.untilDate}（合同到期）` : '退场为止' }] : []),
            ]}
          />
        </section>
      )}
      {data.valid && !person?.photo && <p className="note">照片仅对登录本平台、能查看该人员的账号显示。</p>}
    </>
  )
}
