import { checkPaper } from '@zhugong/contract/process/papers'
import { useSearchParams } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import './rectify.css'

/** Public page that a paper's QR code opens: whether the paper exists, holds, and still says what the record says. */
export default function VerifyPage() {
  const token = useSearchParams()[0].get('t') ?? ''
  return (
    <main className="rectify-verify">
      <h1>文书核验</h1>
      {token === '' ? <Empty text="没有核验码" hint="请用手机扫描文书末尾的二维码" /> : <Verdict key={token} token={token} />}
    </main>
  )
}

function Verdict({ token }: { token: string }) {
  const { data, error } = useCall(checkPaper, { query: { t: token } }, { quiet: true })
  if (error) return <Notice tone="danger">未能核验：{error.message}</Notice>
  if (!data) return <DetailSkeleton />
  return (
    <>
      {data.revoked ? (
        <Notice tone="danger">该文书已撤销，不再有效</Notice>
      ) : data.same ? (
        <Notice tone="fine">该文书由本平台出具，现行有效，打印内容与平台记录一致</Notice>
      ) : (
        <Notice tone="warning">该文书由本平台出具，但平台记录在打印后有变更（如期限已延），请以新打印的为准</Notice>
      )}
      <Card title={data.title}>
        <Pairs
          items={[
            { label: '编号', value: data.number, wide: true },
            { label: '出具单位', value: data.issuer },
            { label: '日期', value: data.date },
            { label: '项目', value: data.projectName, wide: true },
            { label: '状态', value: data.revoked ? '已撤销' : '有效' },
            { label: '打印内容', value: data.same ? '与平台一致' : '与平台不一致' },
            { label: '内容摘要', value: data.digest, wide: true },
          ]}
        />
      </Card>
      <p className="zg-2">请核对纸面的编号、单位、日期和摘要与上列一致。</p>
    </>
  )
}
