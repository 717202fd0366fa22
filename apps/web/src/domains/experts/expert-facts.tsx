import { type ExpertDetail, unmaskExpert } from '@zhugong/contract/experts/library'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Pairs } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'

/** The file, read: used by the review and by the page of an expert. */
export function ExpertFacts({ file }: { file: ExpertDetail }) {
  const unmask = useAct(unmaskExpert, { success: false })
  const [plain, setPlain] = useState<{ idCardNumber: string; phone: string }>()
  const look = async () => {
    const reason = await askReason('查看证件与电话', '事由（记入操作日志）')
    if (!reason) return
    const answer = await unmask.run({ params: { id: file.id }, query: { projectCode: '*' }, body: { reason } })
    if (answer) setPlain(answer.data)
  }
  return (
    <>
      <Card
        title="基本信息"
        actions={
          file.own &&
          !plain && (
            <Can call={unmaskExpert}>
              <Button size="small" loading={unmask.running} onClick={() => void look()}>
                查看证件与电话
              </Button>
            </Can>
          )
        }
      >
        <div className="expert-basic">
          {file.photo && <Thumb src={file.photo} name={file.name} width={84} height={112} />}
          <Pairs
            items={[
              { label: '姓名', value: `${file.name}，${file.genderName}，${file.age} 岁` },
              { label: '证件号', value: <span className="zg-num">{plain?.idCardNumber ?? file.idCardNumber}</span> },
              { label: '手机', value: <span className="zg-num">{plain?.phone ?? file.phone}</span> },
              ...(file.email ? [{ label: '邮箱', value: file.email }] : []),
              { label: '工作单位', value: file.workUnit },
              { label: '职务', value: file.duty },
              { label: '职称', value: `${file.titleName}（${file.titleMajor}）` },
              { label: '学历', value: [file.degreeName, file.graduateSchool].filter(Boolean).join('，') },
              { label: '专业工作年限', value: `${file.workYears} 年` },
              { label: '聘期', value: file.validEnd ? `${file.validStart ?? ''} 至 ${file.validEnd}` : undefined },
            ]}
          />
        </div>
      </Card>
      <Card title="专业与业绩">
        <Pairs
          items={[
            { label: '申报专业', value: file.specialtyNames.join('、') },
            {
              label: '执业资格',
              wide: true,
              value:
                file.certs.map((one) => `${one.name} ${one.number}${one.validEnd ? `（至 ${one.validEnd}）` : ''}`).join('；') || undefined,
            },
            { label: '工作简历', value: <p className="expert-text">{file.resume}</p>, wide: true },
            { label: '业绩成果', value: file.achievements && <p className="expert-text">{file.achievements}</p>, wide: true },
          ]}
        />
        {(file.unitOpinion || file.commitments) && (
          <div className="zg-row zg-gap-8 zg-wrap">
            {file.unitOpinion && <a href={file.unitOpinion}>单位推荐意见</a>}
            {file.commitments && <a href={file.commitments}>承诺书</a>}
          </div>
        )}
      </Card>
    </>
  )
}
