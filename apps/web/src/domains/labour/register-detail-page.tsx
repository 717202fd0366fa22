import { type EnterpriseDetail, getEnterprise, operatorKinds, operatorList } from '@zhugong/contract/labour/register'
import { createCorporation } from '@zhugong/contract/organisation/corporations'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { age } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { HereTag, Until } from './register-list-page.tsx'
import './labour.css'
import './black.css'

/** The external register's record of a company beside ours. */
export default function RegisterDetailPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? query.get('corpCode') ?? ''
  const go = useGo()
  const seesFile = useCan('corporation.view')
  const read = useCall(getEnterprise, { query: { id } }, { quiet: true, enabled: id !== '' })
  const e = read.data
  if (!id)
    return (
      <NothingChosen
        title="综合企业详情"
        thing="企业"
        one="一家企业"
        from={{ path: '/personalServer/intenterprise', name: '综合企业库' }}
      />
    )
  return (
    <DetailShell
      title={e?.corpName}
      tags={e && <HereTag here={e.here} />}
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/personalServer/intenterprise"
      facts={
        e
          ? [
              { label: '信用代码', value: e.corpCode },
              { label: '业务类别', value: e.corpKindNames.join('、') },
              { label: '安许证至', value: <Until day={e.safetyLicenseEnd} /> },
              { label: '数据日期', value: `${e.asOf}（${age(e.asOf)}）` },
              { label: '来源', value: e.source },
            ]
          : []
      }
      actions={
        e &&
        (e.here === 'unknown' ? (
          <Can call={createCorporation}>
            <Button type="primary" onClick={() => go('/companyCreateForm', { from: e.corpCode })}>
              引入企业管理
            </Button>
          </Can>
        ) : (
          seesFile && <Button onClick={() => go('/companySystem/info/basic', { corpCode: e.corpCode })}>查看企业</Button>
        ))
      }
    >
      {e && <Sides e={e} />}
    </DetailShell>
  )
}

function Sides({ e }: { e: EnterpriseDetail }) {
  const differing = e.fields.filter((f) => f.differs)
  return (
    <>
      {differing.length > 0 && (
        <Notice tone="warning">{differing.map((f) => f.label).join('、')}与本平台不一致：核对后在企业档案中更正。</Notice>
      )}
      <div className="lab-two">
        <Card title="登记信息" remark="名录与本平台逐项比较" flush>
          <table className="corp-parts">
            <thead>
              <tr>
                <th>项目</th>
                <th>名录</th>
                <th>本平台</th>
              </tr>
            </thead>
            <tbody>
              {e.fields.map((f) => (
                <tr key={f.field} className={f.differs ? 'lab-differs' : ''}>
                  <td>{f.label}</td>
                  <td>{f.register ?? <span className="zg-2">未提供</span>}</td>
                  <td>{f.own ?? <span className="zg-2">{e.here === 'unknown' ? '未引入' : '--'}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
        <Card title="资质" remark={e.qualifications.length ? `${e.qualifications.length} 项` : undefined}>
          {e.qualifications.length === 0 ? (
            <Empty small text="名录未提供资质" />
          ) : (
            e.qualifications.map((q) => (
              <div className="lab-bar" key={`${q.name}${q.certCode}`} title={q.certCode}>
                <span>
                  {q.name}
                  {q.level}
                </span>
                <span className="track">
                  <i
                    style={{
                      width: `${Math.max(2, Math.min(100, ((q.left ?? 1825) / 1825) * 100))}%`,
                      background: (q.left ?? 1) < 0 ? colors.danger : (q.left ?? 365) <= 90 ? colors.orange : colors.fine,
                    }}
                  />
                </span>
                <span className="zg-num">{q.left === null ? '--' : q.left < 0 ? '过期' : `${q.left} 天`}</span>
              </div>
            ))
          )}
        </Card>
      </div>
      <Card title="处罚与奖励">
        {e.records.length === 0 ? (
          <Empty small text="名录没有处罚与奖励" />
        ) : (
          <ol className="zg-work-lines">
            {e.records.map((r) => (
              <li key={`${r.date}${r.title}`} className={r.over ? 'zg-2' : ''}>
                <span className="zg-num">{r.date}</span>{' '}
                <Tag tone={r.good ? 'fine' : r.over ? 'neutral' : 'danger'} icon={false}>
                  {r.good ? '奖励' : r.over ? '处罚（已结束）' : '处罚'}
                </Tag>{' '}
                {r.title}，{r.org}
                {r.docNo && `，${r.docNo}`}
                {r.endDate && `，至 ${r.endDate}`}
              </li>
            ))}
          </ol>
        )}
      </Card>
      <Card title="人员" remark={e.kinds.map((k) => `${k.kind} ${k.count}`).join('，')} flush>
        {e.kinds.length === 0 ? <Empty small text="名录未提供人员" /> : <People corpCode={e.corpCode} />}
      </Card>
    </>
  )
}

function People({ corpCode }: { corpCode: string }) {
  const go = useGo()
  const list = useListPage(operatorList, { scope: { corpCode }, inUrl: false })
  const columns: ColumnOf<typeof operatorList>[] = [
    {
      key: 'name',
      width: 132,
      locked: true,
      sort: true,
      value: (o) => (
        <>
          <Link to={hrefOf('/personalServer/intenterprise/person', { id: o.id })}>{o.name}</Link>{' '}
          {o.named > 1 && (
            <Tag tone="warning" icon={false}>
              {o.named} 家企业
            </Tag>
          )}
        </>
      ),
    },
    { key: 'idCardNumber', width: 172, value: (o) => o.idCardNumber },
    { key: 'kind', width: 88, filter: 'multi', options: operatorKinds.map((k) => ({ value: k, label: k })), value: (o) => o.kind },
    { key: 'certName', width: 148, value: (o) => o.certName },
    { key: 'certNo', width: 148, value: (o) => o.certNo },
    { key: 'trade', width: 104, value: (o) => o.trade },
    { key: 'validEnd', width: 116, sort: true, filter: 'date-range', value: (o) => <Until day={o.validEnd} /> },
    { key: 'projectName', width: 168, value: (o) => [o.post, o.projectName].filter(Boolean).join(' · ') || null },
  ]
  return (
    <div className="zg-table-box">
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        name="register-people"
        search={{ key: 'q', placeholder: '姓名' }}
        onRow={(o) => go('/personalServer/intenterprise/person', { id: o.id })}
      />
    </div>
  )
}
