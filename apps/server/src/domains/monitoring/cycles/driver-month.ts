import type { Pdf, PdfColumn } from '#kit/pdf'
import type { ExportColumn, ListContext } from '../../exports/registry.ts'
import { driverGroupsFor } from '../../readings/public.ts'
import { dayAlarms, type MonthAlarm, named } from '../shared/month.ts'

interface Group {
  key: string
  name: string
}

/** A row of a monthly workbook: what a driver did with a machine on a day, and the alarms of the machine on that day. */
export type DriverDay<Figures> = Figures & { day: string; device: string; driver: string; faults: string }

/** @param groups cycles grouped by `day,device,driver` */
export function driverDays<Figures extends Group>(ctx: ListContext, groups: readonly Figures[], alarms: readonly MonthAlarm[]) {
  const alarmsOf = dayAlarms(alarms)
  return groups.map((one): DriverDay<Figures> => {
    const [day = '', device = ''] = one.key.split('/')
    return { ...one, day, device, driver: driverGroupsFor(ctx, [one])[0]?.name ?? one.name, faults: alarmsOf(day, device) }
  })
}

/** Columns of a monthly workbook by day, machine and driver, around the family's own figures. */
export const driverDayColumns = <Figures>(
  unit: string,
  figures: readonly ExportColumn<DriverDay<Figures>>[],
): ExportColumn<DriverDay<Figures>>[] => [
  { key: 'day', title: '日期', width: 12, value: (r) => r.day },
  { key: 'device', title: unit, width: 16, value: (r) => r.device },
  { key: 'driver', title: '司机', width: 12, value: (r) => r.driver },
  ...figures,
  { key: 'faults', title: '当日故障与告警', width: 40, value: (r) => r.faults },
]

/** The tables of a monthly document by machine (if there are several) and by driver. */
export async function groupTables<Figures extends Group>(
  pdf: Pdf,
  unit: string,
  figures: readonly PdfColumn<Figures>[],
  { devices, drivers }: { devices: readonly Figures[]; drivers: readonly Figures[] },
): Promise<void> {
  const table = async (title: string, rows: readonly Figures[]) => {
    pdf.heading(`各${title}`)
    await pdf.table([named<Figures>(title, (r) => r.name), ...figures], rows)
  }
  if (devices.length > 1) await table(unit, devices)
  await table('司机', drivers)
}
