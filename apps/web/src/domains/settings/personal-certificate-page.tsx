import { PlusOutlined } from '@ant-design/icons'
import { auditStates } from '@zhugong/contract/personnel/codes'
import type { CertRow } from '@zhugong/contract/personnel/paper-model'
import { addMyCertificate, listMyCertificates, withdrawMyCertificate } from '@zhugong/contract/settings/my-person'
import { Button } from 'antd'
import { useState } from 'react'
import { CertFields, certWords, LifeBar } from '#domains/personnel/public.tsx'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { daysLeft } from '#kit/format.ts'
import { Thumb } from '#kit/viewers.tsx'
import { NoPerson } from './link-person.tsx'
import { useOwnFile } from './use-own-file.ts'
import './settings.css'

/** The user's certificates and their renewals. */
export default function PersonalCertificatePage() {
  const file = useOwnFile()
  const read = useCall(listMyCertificates, {}, { quiet: true, enabled: Boolean(file.person), staleMs: 15_000 })
  const [adding, setAdding] = useState(false)
  const error = file.error ?? read.error
  if (error) return <ErrorPanel error={error} retry={read.refetch} />
  if (!file.known) return <DetailSkeleton />
  if (!file.person) return <NoPerson shows="这里按到期先后列出本人的证书、审核进度和有效期" />
  if (!read.data) return <DetailSkeleton />
  const { list, demands } = read.data
  return (
    <>
      {demands.map((one) => (
        <Notice key={one.workTypeName} tone={one.met ? 'fine' : 'danger'}>
          {one.workTypeName}须持{one.licence}：{one.remark}
          {!one.met && '，到期或缺证后不满足进场条件，门禁可能暂停'}
        </Notice>
      ))}
      <Card
        title="个人证书"
        remark={`${list.length} 本，先到期的在前`}
        actions={
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            上传证书
          </Button>
        }
        flush
      >
        {list.length === 0 ? (
          <Empty small text="还没有证书" hint="上传后由项目审核，通过即计入进场条件" />
        ) : (
          <div className="set-papers">
            {list.map((cert) => (
              <Certificate key={cert.id} cert={cert} />
            ))}
          </div>
        )}
      </Card>
      {adding && <AddDrawer onClose={() => setAdding(false)} />}
    </>
  )
}

const lifeTones = { valid: 'valid', expiring: 'warning', expired: 'danger', pending: 'neutral', void: 'neutral' } as const

function Certificate({ cert }: { cert: CertRow }) {
  const withdraw = useAct(withdrawMyCertificate, { success: '已撤回' })
  const [word, tone] = certWords[cert.state]
  const open = cert.own && cert.auditStatus !== auditStates.passed
  const ask = () =>
    withdraw.afterRequesting(
      { thing: `撤回 ${cert.name}`, consequence: '未通过审核的证书可以撤回，之后可重新上传。', verb: '撤回', keep: '保留' },
      { params: { id: cert.id } },
    )
  return (
    <article className="set-paper">
      {cert.files[0] ? <Thumb src={cert.files[0]} name={cert.name} width={123} height={80} /> : <div className="blank">没有照片</div>}
      <div>
        <h3>
          {cert.name}
          <Tag tone={tone}>{cert.auditStatus === auditStates.refused ? '已驳回' : word}</Tag>
        </h3>
        <div>{[cert.specialTypeName ?? cert.certTypeName, cert.levelName, cert.certNo].filter(Boolean).join(' · ')}</div>
        <div className="zg-2">
          {cert.grantOrg}，{cert.issueDate} 发证
        </div>
      </div>
      <LifeBar
        from={cert.issueDate}
        to={cert.validEnd}
        tone={lifeTones[cert.state]}
        remark={cert.validEnd ? daysLeft(cert.validEnd) : '长期有效'}
      />
      <div className="set-acts">
        {open && (
          <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => void ask()}>
            撤回
          </button>
        )}
      </div>
    </article>
  )
}

function AddDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(addMyCertificate, { success: '已上传，待项目审核' })
  return (
    <FormDrawer
      open
      act={act}
      title="上传证书"
      remark="换发的证书另行上传，原证到期前继续有效"
      initial={{ certType: '7', status: '1', files: [] }}
      onClose={onClose}
    >
      <CertFields />
    </FormDrawer>
  )
}
