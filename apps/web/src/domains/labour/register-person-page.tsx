import { getOperator, listRegisterCertificates } from '@zhugong/contract/labour/register'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { Until } from './register-list-page.tsx'
import './labour.css'

/** Certificate of a manager in the external register, and projects the manager is bound to. */
export default function RegisterPersonPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const seesFile = useCan('personnel.view')
  const read = useCall(getOperator, { query: { id } }, { quiet: true, enabled: id !== '' })
  const papers = useCall(listRegisterCertificates, { query: { id } }, { quiet: true, enabled: id !== '' })
  const o = read.data
  if (!id)
    return (
      <NothingChosen
        title="综合企业人员"
        thing="人员"
        one="一个人员"
        from={{ path: '/personalServer/intenterprise', name: '综合企业库' }}
      />
    )
  return (
    <DetailShell
      title={o?.name}
      tags={
        o && (
          <Tag tone={o.workerId ? 'fine' : 'neutral'} icon={false}>
            {o.workerId ? '本平台有此人' : '本平台无此人'}
          </Tag>
        )
      }
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/personalServer/intenterprise"
      facts={
        o
          ? [
              { label: '证件号码', value: o.idCardNumber },
              { label: '名录单位', value: o.corpName },
              { label: '类别', value: o.kind },
              { label: '名录岗位', value: [o.post, o.projectName].filter(Boolean).join(' · ') },
            ]
          : []
      }
      actions={
        o?.workerId && seesFile ? (
          <Button onClick={() => go('/personnelSystem/info/certificate', { id: o.workerId ?? undefined })}>打开本平台档案</Button>
        ) : undefined
      }
    >
      {o && (
        <>
          {o.warnings.map((w) => (
            <Notice key={w} tone="danger">
              {w}
            </Notice>
          ))}
          {!o.workerId && o.sameName > 0 && (
            <Notice tone="info">本平台有 {o.sameName} 位同名人员，证件号码不同：仅为疑似，不作关联。</Notice>
          )}
          <Card title="名录证书" remark="该证件号码在全部企业名下的证书">
            <div className="lab-papers">
              {(papers.data?.list ?? []).map((p) => (
                <article key={p.id} className={p.state === '有效' ? '' : 'bad'}>
                  <b>{p.certName}</b>
                  <span className="zg-num">{p.certNo}</span>
                  <span>{[p.trade, p.corpName].filter(Boolean).join(' · ')}</span>
                  <span>
                    <Until day={p.validEnd} />{' '}
                    <Tag tone={p.state === '有效' ? 'fine' : 'danger'} icon={false}>
                      {p.state}
                    </Tag>
                  </span>
                </article>
              ))}
            </div>
          </Card>
          <div className="lab-two">
            <Card title="本平台在岗" remark="按证件号码关联" flush>
              {o.posts.length === 0 ? (
                <Empty small text="您看到的项目中没有此人" />
              ) : (
                <table className="corp-parts">
                  <thead>
                    <tr>
                      <th>项目</th>
                      <th>岗位</th>
                      <th>进场</th>
                      <th>状态</th>
                    </tr>
                  </thead>
                  <tbody>
                    {o.posts.map((p) => (
                      <tr key={`${p.projectName}${p.entryTime}`} className={p.present ? '' : 'zg-2'}>
                        <td>{p.projectName}</td>
                        <td>
                          {p.postName ?? '工人'}
                          {p.isLeader && '（项目负责人）'}
                        </td>
                        <td className="zg-num">{p.entryTime}</td>
                        <td>{p.present ? '在场' : '已退场'}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </Card>
            <Card title="本平台证书台账">
              {papers.data?.own.length === 0 ? (
                <Empty small text="台账中没有此人的证书" />
              ) : (
                <ul className="zg-work-lines">
                  {papers.data?.own.map((c) => (
                    <li key={c.certNo}>
                      {c.name} <span className="zg-num">{c.certNo}</span> <Until day={c.validEnd} />{' '}
                      <Tag tone={c.matches ? 'fine' : 'warning'} icon={false}>
                        {c.matches ? '与名录一致' : '名录无此证'}
                      </Tag>
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          </div>
        </>
      )}
    </DetailShell>
  )
}
