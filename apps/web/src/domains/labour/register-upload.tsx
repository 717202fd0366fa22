import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { uploadRegister } from '@zhugong/contract/labour/register'
import { Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { csvTable } from './csv.ts'
import './labour.css'

const companyTitles = {
  corpCode: '统一社会信用代码',
  corpName: '企业名称',
  corpKind: '业务类别代码',
  areaCode: '区划代码',
  address: '营业地址',
  legalMan: '法定代表人',
  regCapital: '注册资本',
  establishDate: '成立日期',
  status: '登记状态',
  safetyLicenseNo: '安全生产许可证',
  safetyLicenseEnd: '安许证有效期至',
  qualification: '主要资质',
  qualificationLevel: '资质等级',
  qualificationEnd: '资质有效期至',
}
const personTitles = {
  corpCode: '统一社会信用代码',
  name: '姓名',
  idCardNumber: '证件号码',
  kind: '类别',
  certName: '证书名称',
  certNo: '证书编号',
  trade: '专业',
  validEnd: '有效期至',
  state: '状态',
  post: '岗位',
  projectName: '现任项目',
}

/** Imports a register from CSV files of companies and people, each with a title line. Replaces the records in the files, keeps all others. */
export function RegisterUpload({ onClose }: { onClose: () => void }) {
  const act = useAct(uploadRegister, {
    success: (r) => `已写入 ${r.enterprises} 家企业、${r.operators} 人`,
    onDone: onClose,
  })
  const [source, setSource] = useState('')
  const [asOf, setAsOf] = useState<string | undefined>(day(Date.now()))
  const [companies, setCompanies] = useState<Record<string, string>[]>([])
  const [people, setPeople] = useState<Record<string, string>[]>([])
  const send = () =>
    act.run({
      body: {
        source,
        asOf: asOf ?? '',
        enterprises: companies.map(({ corpKind, qualification, qualificationLevel, qualificationEnd, ...c }) => ({
          ...c,
          corpKind: corpKind?.split(/[、;；]/) ?? [],
          qualifications: qualification ? [{ name: qualification, level: qualificationLevel ?? '', endDate: qualificationEnd }] : [],
        })),
        operators: people,
      } as InputFor<typeof uploadRegister>['body'],
    })
  return (
    <PageDrawer
      open
      size={560}
      title="上传综合企业名录"
      onClose={onClose}
      footer={
        <Button
          type="primary"
          disabled={!source || !asOf || companies.length + people.length === 0}
          loading={act.running}
          onClick={() => void send()}
        >
          写入 {thousands(companies.length)} 家企业、{thousands(people.length)} 人
        </Button>
      }
    >
      <div className="lab-stack">
        <Notice tone="info">文件为 CSV，第一行是列名。名录中点到的企业整条替换，点到人员的企业其人员整体替换；没有点到的保持原样。</Notice>
        <label htmlFor="register-source">
          <span>来源</span>
          <Input
            id="register-source"
            value={source}
            maxLength={50}
            placeholder="如 省建筑市场监管平台"
            onChange={(e) => setSource(e.target.value)}
          />
        </label>
        <label htmlFor="register-day">
          <span>数据日期</span>
          <DayInput id="register-day" value={asOf ?? null} max={day(Date.now())} onChange={setAsOf} />
        </label>
        <FileChoice label="企业名录" titles={companyTitles} count={companies.length} onRead={setCompanies} />
        <FileChoice label="人员名录" titles={personTitles} count={people.length} onRead={setPeople} />
        {act.error && (
          <Notice tone="danger">
            {Object.entries(act.fieldErrors)
              .slice(0, 5)
              .map(([field, text]) => (
                <div key={field}>
                  {field}：{text}
                </div>
              ))}
          </Notice>
        )}
      </div>
    </PageDrawer>
  )
}

function FileChoice({
  label,
  titles,
  count,
  onRead,
}: {
  label: string
  titles: Readonly<Record<string, string>>
  count: number
  onRead: (rows: Record<string, string>[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Button onClick={() => input.current?.click()}>{count ? `${label}：${count} 行` : `选择${label}`}</Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={label}
        onChange={async (event) => {
          const file = event.target.files?.[0]
          if (file) onRead(csvTable(await file.text(), titles))
        }}
      />
      <div className="zg-2">列：{Object.values(titles).join('、')}</div>
    </div>
  )
}
