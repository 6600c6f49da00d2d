//! The battery gauge: the chip measures its internal reference against its supply.
//!
//! While the modem is off the boost converter is bypassed, and the supply is the two cells'.
use embassy_stm32::Peri;
use embassy_stm32::adc::{Adc, SampleTime, VREF_CALIB_MV};
use embassy_stm32::pac::{self, ADC123_COMMON};
use embassy_stm32::peripherals::ADC1;

/// The supply in millivolts, or nothing where the converter does not work.
///
/// The converter takes current, so it is on only for this.
pub(crate) fn supply_mv(converter: Peri<'_, ADC1>) -> Option<u32> {
    let mut converter = Adc::new(converter);
    let mut reference = converter.enable_vrefint();
    let measured = converter.blocking_read(&mut reference, SampleTime::CYCLES640_5);
    let supply =
        (VREF_CALIB_MV * u32::from(reference.calibrated_value())).checked_div(measured.into());
    converter.power_down();
    // Its regulator and the reference would go on taking current, also in STOP.
    ADC123_COMMON.ccr().modify(|w| w.set_vrefen(false));
    pac::ADC1.cr().modify(|w| w.set_advregen(false));
    pac::ADC1.cr().modify(|w| w.set_deeppwd(true));
    supply
}
