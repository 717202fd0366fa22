import { Button, Select } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Notice } from './feedback.tsx'
import { PageModal } from './overlay.tsx'

/** Resolution wide enough to read an identity card; a face needs less. */
const wanted = { width: { ideal: 1_920 }, height: { ideal: 1_080 } }
const jpegQuality = 0.9

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: '浏览器未获准使用摄像头，请在地址栏旁允许后重试',
  NotFoundError: '没有找到摄像头，可以改为上传照片',
  OverconstrainedError: '选中的摄像头已拔出，请换一个',
  NotReadableError: '摄像头正被其他程序占用，关闭后重试',
}
const whyNot = (error: unknown): string => (error instanceof Error && reasons[error.name]) || '摄像头没有响应，可以改为上传照片'

type Ask = { facingMode: string } | { deviceId: { exact: string } }

/** The camera's stream, until the dialog closes or another camera is selected. */
function useCamera(ask: Ask) {
  const [stream, setStream] = useState<MediaStream>()
  const [fault, setFault] = useState<string>()
  const [cameras, setCameras] = useState<MediaDeviceInfo[]>([])
  useEffect(() => {
    let gone = false
    let opened: MediaStream | undefined
    const stop = () => {
      for (const track of opened?.getTracks() ?? []) track.stop()
    }
    const open = async () => {
      setFault(undefined)
      // Browsers allow camera access only to pages from HTTPS or localhost.
      if (!window.isSecureContext) return setFault('浏览器只允许 HTTPS 页面使用摄像头，可以改为上传照片')
      try {
        opened = await navigator.mediaDevices.getUserMedia({ video: { ...wanted, ...ask } })
        if (gone) return stop()
        setStream(opened)
        setCameras((await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === 'videoinput'))
      } catch (error) {
        if (!gone) setFault(whyNot(error))
      }
    }
    void open()
    return () => {
      gone = true
      stop()
    }
  }, [ask])
  return { stream, fault, cameras }
}

/** Takes a picture with the computer's camera; the user sees it before it is used. */
export function CameraDialog({
  facing,
  onTake,
  onClose,
}: {
  facing: 'user' | 'environment'
  onTake: (picture: File) => void
  onClose: () => void
}) {
  const [ask, setAsk] = useState<Ask>({ facingMode: facing })
  const { stream, fault, cameras } = useCamera(ask)
  const video = useRef<HTMLVideoElement | null>(null)
  const [taken, setTaken] = useState<{ file: File; address: string }>()
  const show = useCallback(
    (element: HTMLVideoElement | null) => {
      video.current = element
      if (element) element.srcObject = stream ?? null
    },
    [stream],
  )
  useEffect(() => () => void (taken && URL.revokeObjectURL(taken.address)), [taken])
  const take = () => {
    const from = video.current
    if (!from?.videoWidth) return
    const canvas = document.createElement('canvas')
    canvas.width = from.videoWidth
    canvas.height = from.videoHeight
    canvas.getContext('2d')?.drawImage(from, 0, 0)
    canvas.toBlob(
      (blob) => {
        if (!blob) return
        const file = new File([blob], '拍照.jpg', { type: 'image/jpeg' })
        setTaken({ file, address: URL.createObjectURL(file) })
      },
      'image/jpeg',
      jpegQuality,
    )
  }
  const use = () => {
    if (taken) onTake(taken.file)
    onClose()
  }
  return (
    <PageModal
      open
      title="拍照"
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          {taken ? (
            <>
              <Button onClick={() => setTaken(undefined)}>重拍</Button>
              <Button type="primary" onClick={use}>
                使用这张
              </Button>
            </>
          ) : (
            <Button type="primary" disabled={!stream || Boolean(fault)} onClick={take}>
              拍下
            </Button>
          )}
        </>
      }
    >
      <div className="zg-camera">
        {fault && <Notice tone="warning">{fault}</Notice>}
        {taken ? (
          <img src={taken.address} alt="拍下的照片" />
        ) : (
          !fault && <video ref={show} autoPlay muted playsInline aria-label="摄像头画面" />
        )}
        {cameras.length > 1 && !taken && (
          <Select
            aria-label="摄像头"
            className="zg-w-all"
            value={stream?.getVideoTracks()[0]?.getSettings().deviceId}
            options={cameras.map((one, i) => ({ value: one.deviceId, label: one.label || `摄像头 ${i + 1}` }))}
            onChange={(deviceId) => setAsk({ deviceId: { exact: deviceId } })}
          />
        )}
      </div>
    </PageModal>
  )
}
