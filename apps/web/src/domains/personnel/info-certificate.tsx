import { CheckCircleOutlined, IdcardOutlined, PlusOutlined } from '@ant-design/icons'
import { auditStates } from '@zhugong/contract/personnel/codes'
import type { CertRow } from '@zhugong/contract/personnel/paper-model'
import { auditCert, removeCert, saveCert, workerCerts } from '@zhugong/contract/personnel/papers'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { day, daysLeft, daysUntil } from '#kit/format.ts'
import { usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { UploadState } from '../docking/public.tsx'
import { CertDrawer } from './cert-drawer.tsx'
import { certWords } from './cert-words.ts'
import { HeldCan } from './held.tsx'
import { LifeBar } from './life-bar.tsx'

const lifeTones = { valid: 'valid', expiring: 'warning', expired: 'danger', pending: 'neutral', void: 'neutral' } as const

/** Certificates of a person, and whether they permit the current work. */
export default function InfoCertificate() {
  const id = usePageQuery().get('id') ?? ''
  const read = useCall(workerCerts, { params: { id } }, { quiet: true, staleMs: 15_000 })
  const [editing, setEditing] = useState<Partial<CertRow>>()
  const audit = useAct(auditCert, { success: '已审核' })
  const remove = useAct(removeCert, { success: '已删除' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const { list, demands } = read.data
  const existing = list.filter((c) => c.state === 'valid' || c.state === 'expiring').length
  const ending = list.filter((c) => c.state === 'expiring')
  const ended = list.filter((c) => c.state === 'expired')
  const reject = async (c: CertRow) => {
    const opinion = await askReason(`驳回 ${c.name}`, '驳回意见')
    if (opinion) await audit.run({ body: { id: c.id, result: '2', opinion } })
  }
  const drop = (c: CertRow) =>
    remove.afterRequesting(
      {
        thing: `删除证书 ${c.name}`,
        consequence: '未通过审核的证书可以删除，通过后只能注销。',
        verb: '删除证书',
        keep: '保留',
      },
      { params: { id: c.id } },
    )
  return (
    <>
      {demands.map((d) => (
        <Notice key={d.workTypeName} tone={d.met ? 'fine' : 'danger'}>
          {d.workTypeName}：需{d.licence}，{d.remark}
        </Notice>
      ))}
      <Card
        title="资格证书"
        remark={list.length ? `${list.length} 本，有效 ${existing} 本，30 日内到期 ${ending.length} 本` : ''}
        actions={
          <HeldCan workerId={id} call={saveCert}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({})}>
              添加证书
            </Button>
          </HeldCan>
        }
        flush
      >
        {[...ended, ...ending].slice(0, 2).map((c) => (
          <div key={c.id} className="zg-pad-above">
            <Notice
              tone={c.state === 'expired' ? 'danger' : 'warning'}
              actions={
                <HeldCan workerId={id} call={saveCert}>
                  <button type="button" className="zg-bare zg-link" onClick={() => setEditing(c)}>
                    登记复审
                  </button>
                </HeldCan>
              }
            >
              {c.name}
              {c.state === 'expired'
                ? `已于 ${c.validEnd} 过期，特种工种应暂停作业并换证。`
                : ` ${daysUntil(c.validEnd)} 天后到期，到期后不再满足特种工种的进场条件。`}
            </Notice>
          </div>
        ))}
        {list.length === 0 ? (
          <Empty text="还没有证书" hint="特种工种须录入特种作业操作资格证并通过审核" />
        ) : (
          list.map((c) => {
            const [word, tone] = certWords[c.state]
            return (
              <div className="per-paper" key={c.id}>
                {c.files[0] ? (
                  <Thumb src={c.files[0]} name={c.name} width={123} height={80} />
                ) : (
                  <div className="scan">
                    <IdcardOutlined />
                    未上传
                  </div>
                )}
                <div>
                  <div className="title">
                    {c.name}
                    <Tag tone={tone}>
                      {c.state === 'void' ? (c.auditStatus === auditStates.refused ? '已驳回' : (c.statusName ?? word)) : word}
                    </Tag>
                    <UploadState objectType="workerCert" sourceId={c.id} />
                  </div>
                  <div>
                    {c.certTypeName} · {c.certNo}
                    {c.levelName && ` · ${c.levelName}`}
                  </div>
                  <div className="zg-2">{c.grantOrg}</div>
                  <div className={`zg-small ${c.auditStatus === auditStates.passed ? 'tone-fine' : 'zg-2'}`}>
                    {c.auditStatus === auditStates.passed ? (
                      <>
                        <CheckCircleOutlined /> 人工审核通过，未接入发证机关核验
                      </>
                    ) : (
                      `${c.auditStatusName}，${day(c.updateTime ?? c.createTime)} 录入`
                    )}
                  </div>
                </div>
                <LifeBar
                  from={c.issueDate}
                  to={c.validEnd}
                  tone={lifeTones[c.state]}
                  remark={c.validEnd ? daysLeft(c.validEnd) : '长期有效'}
                />
                <div className="acts">
                  {c.auditStatus === auditStates.waiting && !c.own && (
                    <HeldCan workerId={id} call={auditCert}>
                      <button type="button" className="zg-bare zg-link" onClick={() => void audit.run({ body: { id: c.id, result: '1' } })}>
                        通过
                      </button>
                      <button type="button" className="zg-bare zg-link" onClick={() => void reject(c)}>
                        驳回
                      </button>
                    </HeldCan>
                  )}
                  <HeldCan workerId={id} call={saveCert}>
                    <button type="button" className="zg-bare zg-link" onClick={() => setEditing(c)}>
                      {c.state === 'expiring' || c.state === 'expired' ? '复审' : '编辑'}
                    </button>
                    {c.auditStatus !== auditStates.passed && (
                      <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => void drop(c)}>
                        删除
                      </button>
                    )}
                  </HeldCan>
                </div>
              </div>
            )
          })
        )}
      </Card>
      {editing && <CertDrawer workerId={id} row={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}
