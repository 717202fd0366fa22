import { getGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { ConnectGuide } from './connect-guide.tsx'
import { Copyable } from './copyable.tsx'

/** Secret of a gateway, shown once; leaving before copying asks for confirmation. */
export function SecretPanel({ id, secret, title }: { id: string; secret: string; title: string }) {
  const [copied, setCopied] = useState(false)
  const page = usePage()
  const gateway = useCall(getGateway, { params: { id } }, { quiet: true })
  useUnsaved(!copied, page.cacheKey, '网关密钥（尚未复制）')
  return (
    <PageShell title={title} remark={gateway.data?.name}>
      <div className="zg-stack-12 eq-secret">
        <Notice tone="warning">密钥只显示这一次，请复制到网关或保存到安全的地方；遗失后只能重置，重置会断开正在使用的连接。</Notice>
        <Card title="网关密钥">
          <Copyable text={secret} label="复制密钥" onCopied={() => setCopied(true)} />
        </Card>
        <Card title="怎么接入" remark="逐项写入网关，最后一行可在任意终端验证">
          {gateway.data ? (
            <ConnectGuide gateway={gateway.data} secret={secret} />
          ) : gateway.error ? (
            <ErrorPanel error={gateway.error} retry={gateway.refetch} />
          ) : (
            <DetailSkeleton />
          )}
        </Card>
        <div>
          <Button type="primary" size="large" disabled={!copied} onClick={() => page.leave(hrefOf('/gateway/details', { id }))}>
            已保存，去网关详情
          </Button>{' '}
          {!copied && <span className="zg-2">复制密钥后继续</span>}
        </div>
      </div>
    </PageShell>
  )
}
