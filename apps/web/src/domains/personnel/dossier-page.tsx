import { FilePdfOutlined, PrinterOutlined } from '@ant-design/icons'
import { exportCodes } from '@zhugong/contract/exports/codes'
import { type Dossier, type DossierPart, dossierParts, workerDossier } from '@zhugong/contract/personnel/dossier'
import { consentKinds, openEndOf } from '@zhugong/contract/personnel/rules'
import { Button, Checkbox, Popover } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCanAll } from '#kit/can.tsx'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import dossierStyle from './dossier-paper.css?raw'
import './dossier-paper.css'
import { PersonChoice } from './person-choice.tsx'
import { printPaper } from './print-paper.ts'
import './personnel.css'

const allParts = Object.keys(dossierParts) as DossierPart[]

/** 一人一档: the complete file of one person for printing. */
export default function DossierPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id) return <PersonChoice why="一人一档按人出具" onChoose={(workerId) => go('/PersonDetails', { id: workerId }, { replace: true })} />
  return <Sheet id={id} />
}

function Sheet({ id }: { id: string }) {
  const go = useGo()
  const read = useCall(workerDossier, { params: { id } }, { quiet: true })
  const [parts, setParts] = useState<readonly DossierPart[]>(allParts)
  const paper = useRef<HTMLDivElement>(null)
  const may = useCanAll()
  const print = usePrint('workerDossier')
  usePageTitle(read.data?.name)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const d = read.data
  const mayExport = exportCodes('workerDossier')?.every((code) => may(code))
  return (
    <PageShell
      remark={d ? `档案编号 ${d.sheetNo}` : undefined}
      actions={
        <>
          <Button onClick={() => go('/personnelSystem/info/basic', { id })}>去维护</Button>
          <Popover
            trigger="click"
            content={
              <div className="per-parts">
                {allParts.map((part) => (
                  <Checkbox
                    key={part}
                    checked={parts.includes(part)}
                    onChange={(event) => setParts(allParts.filter((p) => (p === part ? event.target.checked : parts.includes(p))))}
                  >
                    {dossierParts[part]}
                  </Checkbox>
                ))}
              </div>
            }
          >
            <Button>
              选择部分 {parts.length} / {allParts.length}
            </Button>
          </Popover>
          <Button
            icon={<FilePdfOutlined />}
            loading={print.running}
            disabled={!d || !mayExport || parts.length === 0}
            onClick={() => void print.run({ body: { feature: 'workerDossier', exportType: 'pdf', query: { id, parts: parts.join(',') } } })}
          >
            导出 PDF
          </Button>
          <Button
            type="primary"
            icon={<PrinterOutlined />}
            disabled={!d || parts.length === 0}
            onClick={() => paper.current && printPaper(paper.current, dossierStyle, 'A4 portrait')}
          >
            打印
          </Button>
        </>
      }
    >
      {d ? (
        <div ref={paper}>
          <Paper d={d} parts={parts} />
        </div>
      ) : (
        <DetailSkeleton />
      )}
    </PageShell>
  )
}

function Paper({ d, parts }: { d: Dossier; parts: readonly DossierPart[] }) {
  const shown = (part: DossierPart, count: number, body: ReactNode) =>
    parts.includes(part) && (
      <section>
        <h3>{dossierParts[part]}</h3>
        {count === 0 ? <p>无记录</p> : body}
      </section>
    )
  const years = [...Map.groupBy(d.trainings, (t) => t.year)]
  return (
    <article className="dossier">
      <header>
        <div>
          <h2>建筑从业人员档案</h2>
          <div>一人一档　编号 {d.sheetNo}</div>
          <div>出具时间 {d.madeAt}</div>
          <div>{d.stay ?? '当前不在本单位项目在场'}</div>
        </div>
        {d.photo ? <img src={d.photo} alt={`${d.name} 的证件照`} /> : <div className="no-photo">未上传照片</div>}
      </header>
      {shown(
        'identity',
        1,
        <Facts
          pairs={[
            ['姓名', d.name],
            ['性别', d.gender],
            d.birthday ? ['出生日期', `${d.birthday}（${d.age} 岁）`] : ['年龄', `${d.age} 岁`],
            ['民族', d.nation],
            ['籍贯', d.nativePlace],
            ['文化程度', d.education],
            ['证件', `${d.idCardType ?? ''} ${d.idCardNumber}`],
            ['证件有效期', d.idCardValid],
            ['实名核验', d.realName],
            ['手机', d.cellPhone],
            ['紧急联系人', d.urgent],
            ['工种', d.workType],
            ['住址', d.address],
          ]}
        />,
      )}
      {shown(
        'career',
        d.career.length,
        <Lines
          heads={['起止', '项目', '单位', '班组', '工种', '出勤天数', '来源']}
          rows={d.career.map((r) => [
            `${r.entryTime} 至 ${r.exitTime ?? '今'}`,
            r.projectName,
            r.corpName,
            r.teamName,
            r.workTypeName,
            r.attendDays,
            r.source === 'own' ? '本人自填' : '进退场记录',
          ])}
        />,
      )}
      {shown(
        'contracts',
        d.contracts.length,
        <Lines
          heads={['合同编号', '类别', '单位', '期限', '计酬', '签订日期']}
          rows={d.contracts.map((k) => [
            k.contractCode,
            k.contractKindName,
            k.corpName,
            `${k.startDate} 至 ${k.terminateDate ?? k.endDate ?? openEndOf(k.contractPeriodType)}`,
            k.paymentTypeName,
            `${k.signDate}${k.late ? '（迟签）' : ''}`,
          ])}
        />,
      )}
      {shown(
        'certs',
        d.certs.length,
        <Lines
          heads={['证书', '编号', '发证机关', '发证日期', '有效期至', '审核']}
          rows={d.certs.map((c) => [c.name, c.certNo, c.grantOrg, c.issueDate, c.validEnd ?? '长期', c.auditStatusName])}
        />,
      )}
      {shown(
        'trainings',
        d.trainings.length,
        years.map(([year, rows]) => (
          <div key={year}>
            <h4>
              {year} 年，{rows.length} 次，{rows.reduce((sum, t) => sum + t.hours, 0)} 学时
            </h4>
            <Lines
              heads={['日期', '类型', '名称', '学时', '成绩', '结果', '授课人']}
              rows={rows.map((t) => [t.trainDate, t.typeName, t.name, t.hours, t.score, t.passed ? '合格' : '不合格', t.trainer])}
            />
          </div>
        )),
      )}
      {shown(
        'attendance',
        d.attendance.length,
        <Lines
          heads={['月份', '项目', '出勤天数', '工时', '补录天数']}
          rows={d.attendance.map((m) => [m.month, m.projectName, m.days, m.hours, m.corrected])}
        />,
      )}
      {shown(
        'records',
        d.records.length,
        <Lines
          heads={['日期', '行为', '程度', '情况', '审核', '影响期至']}
          rows={d.records.map((b) => [
            b.occurrenceDate,
            b.badRecordTypeName,
            b.badRecordLevelName,
            b.reason,
            b.auditStatusName,
            b.validUntil,
          ])}
        />,
      )}
      {shown(
        'consents',
        d.consents.length,
        <Lines
          heads={['事项', '状态', '方式', '时间', '文本版本']}
          rows={d.consents.map((c) => [consentKinds[c.kind as keyof typeof consentKinds] ?? c.kind, c.state, c.way, c.time, c.version])}
        />,
      )}
      <footer>
        <div>附件：{d.attachments.map((a) => `${a.name} ${a.count} 份`).join('，')}</div>
        <div>其他单位项目上的经历不在您的管辖范围，不列入本档。健康信息不列入本档。</div>
        <div className="signs">
          <span>本人：</span>
          <span>劳务员：</span>
          <span>出具单位（盖章）：</span>
        </div>
      </footer>
    </article>
  )
}

const written = (value: ReactNode) => (value === null || value === undefined || value === '' ? '--' : value)

function Facts({ pairs }: { pairs: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl>
      {pairs.map(([name, value]) => (
        <div key={name} className={name === '住址' ? 'wide' : undefined}>
          <dt>{name}</dt>
          <dd>{written(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Lines({ heads, rows }: { heads: readonly string[]; rows: readonly (readonly ReactNode[])[] }) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, n) => (
              <td key={heads[n]}>{written(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
